import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import xmlInjection from "./xml-injection.ts";

const document = apiDocument({
  "/teas": {
    get: { parameters: [{ name: "kind", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const answering = (answer: (value: string) => Answer) =>
  fakeApi({ "GET /teas": ({ query }) => answer(query.get("kind") ?? "") });
const headers = { "content-type": "application/xml" };

testCheck(xmlInjection, {
  positive: [
    {
      name: "a document that has the element",
      document,
      target: answering((value) => ({ headers, body: `<teas kind="all">${value}</teas>` })),
      finding: { severity: "medium", location: { method: "GET", path: "/teas", parameter: "kind" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is escaped",
      document,
      target: answering((value) => ({ headers, body: `<teas>${value.replaceAll("<", "&lt;")}</teas>` })),
    },
    {
      name: "a value that is repeated in JSON",
      document,
      target: answering((value) => ({ json: { value } })),
    },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: answering(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
