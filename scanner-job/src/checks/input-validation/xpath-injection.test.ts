import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import xpathInjection from "./xpath-injection.ts";

const taking = (parameter: object) =>
  apiDocument({
    "/partners": {
      get: { parameters: [{ in: "query", required: true, schema: { type: "string" }, ...parameter }] },
    },
  });
const search = taking({ name: "keyword", example: "Ada" });
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({ "GET /partners": ({ query }) => respond(query.get("keyword") ?? query.get("xpath") ?? "") });
const rows = [{ name: "Ada" }];
const quotes = (text: string): number => text.split("'").length - 1;

/** What XPath makes of the conditions that are put in. */
function obeys(value: string): boolean {
  const [, operator, letters, length] = /' (and|or) string-length\('(a+)'\)=(\d+) /.exec(value) ?? [];
  if (operator === undefined) return value === "Ada";
  return operator === "or"
    ? value.startsWith("Ada'") || letters!.length === Number(length)
    : letters!.length === Number(length);
}

testCheck(xpathInjection, {
  positive: [
    {
      name: "an expression that a quote breaks",
      document: search,
      target: responding((value) =>
        quotes(value) % 2 ? { status: 500, json: { error: "XPath parse error" } } : { json: { rows } },
      ),
      finding: { severity: "critical", location: { method: "GET", path: "/partners", parameter: "keyword" } },
      count: 1,
    },
    {
      name: "conditions that are obeyed in silence",
      document: search,
      target: responding((value) =>
        quotes(value) % 2 ? { json: { rows: [] } } : { json: { rows: obeys(value) ? rows : [] } },
      ),
      count: 1,
    },
    {
      name: "an expression of the caller's",
      document: taking({ name: "xpath", example: "/partners/partner/name" }),
      target: responding((value) => {
        const [, a, b] = /^string\((\d+)\*(\d+)\)$/.exec(value) ?? [];
        return { body: `<root>${a === undefined ? "Ada" : Number(a) * Number(b)}</root>` };
      }),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is compared",
      document: search,
      target: responding((value) => ({ json: { rows: value === "Ada" ? rows : [] } })),
    },
    {
      name: "a value that is repeated",
      document: search,
      target: responding((value) => ({ json: { searched: value, rows } })),
    },
  ],
  inconclusive: [
    {
      name: "a search that always fails so",
      document: search,
      target: responding(() => ({ status: 500, json: { error: "XPath parse error" } })),
    },
    {
      name: "an operation behind credentials",
      document: search,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document: search, target: responding(() => ({ cut: true })) },
  ],
});
