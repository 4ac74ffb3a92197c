import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import nosqlJavascript from "./nosql-javascript.ts";

const document = apiDocument({
  "/teas": {
    get: { parameters: [{ name: "kind", in: "query", schema: { type: "string" }, example: "green" }] },
  },
});
const answering = (answer: (value: string) => Answer) =>
  fakeApi({ "GET /teas": ({ query }) => answer(query.get("kind") ?? "") });
const teas = [{ name: "Sencha" }];

/** The result of `this.kind == 'VALUE'` for the one green tea. */
function matches(value: string): boolean {
  const [, kind, operator, left, right] = /^(\w+)'(&&|\|\|)'(\d+)'=='(\d+)$/.exec(value) ?? [];
  if (operator === undefined) return value === "green";
  return operator === "&&" ? kind === "green" && left === right : kind === "green" || left === right;
}

testCheck(nosqlJavascript, {
  positive: [
    {
      name: "a condition that is executed",
      document,
      target: answering((value) => ({ json: matches(value) ? teas : [] })),
      finding: { severity: "critical", location: { method: "GET", path: "/teas", parameter: "kind" } },
      count: 1,
    },
    {
      name: "a condition that is executed where the ordinary value is not found",
      document,
      target: answering((value) =>
        value !== "green" && value.includes("||") && matches(value.replace(/^green/, "none"))
          ? { json: teas }
          : { status: 404, json: { error: "None" } },
      ),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is compared",
      document,
      target: answering((value) => ({ json: value === "green" ? teas : [] })),
    },
    { name: "a value that is ignored", document, target: answering(() => ({ json: teas })) },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: answering(() => ({ status: 401, json: {} })),
    },
    {
      name: "a firewall",
      document,
      target: answering((value) =>
        value === "green" ? { json: teas } : { status: 406, body: "Request blocked" },
      ),
    },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
