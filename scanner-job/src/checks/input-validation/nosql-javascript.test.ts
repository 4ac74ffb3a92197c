import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import nosqlJavascript from "./nosql-javascript.ts";

const document = apiDocument({
  "/teas": {
    get: { parameters: [{ name: "kind", in: "query", schema: { type: "string" }, example: "green" }] },
  },
});
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({ "GET /teas": ({ query }) => respond(query.get("kind") ?? "") });
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
      target: responding((value) => ({ json: matches(value) ? teas : [] })),
      finding: { severity: "critical", location: { method: "GET", path: "/teas", parameter: "kind" } },
      count: 1,
    },
    {
      name: "a condition that is executed where the base value is not found",
      document,
      target: responding((value) =>
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
      target: responding((value) => ({ json: value === "green" ? teas : [] })),
    },
    { name: "a value that is ignored", document, target: responding(() => ({ json: teas })) },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    {
      name: "a firewall",
      document,
      target: responding((value) =>
        value === "green" ? { json: teas } : { status: 406, body: "Request blocked" },
      ),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
