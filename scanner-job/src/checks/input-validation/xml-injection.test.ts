import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import xmlInjection from "./xml-injection.ts";

const document = apiDocument({
  "/teas": {
    get: { parameters: [{ name: "kind", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({ "GET /teas": ({ query }) => respond(query.get("kind") ?? "") });
const headers = { "content-type": "application/xml" };

testCheck(xmlInjection, {
  positive: [
    {
      name: "a document that has the element",
      document,
      target: responding((value) => ({ headers, body: `<teas kind="all">${value}</teas>` })),
      finding: { severity: "medium", location: { method: "GET", path: "/teas", parameter: "kind" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is escaped",
      document,
      target: responding((value) => ({ headers, body: `<teas>${value.replaceAll("<", "&lt;")}</teas>` })),
    },
    {
      name: "a value that is repeated in JSON",
      document,
      target: responding((value) => ({ json: { value } })),
    },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
