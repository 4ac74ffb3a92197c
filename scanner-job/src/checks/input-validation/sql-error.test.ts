import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sqlError from "./sql-error.ts";

const list = apiDocument({
  "/medicines": {
    get: { parameters: [{ name: "category", in: "query", schema: { type: "string" }, example: "tea" }] },
  },
});
const object = apiDocument({ "/medicines/{medicineId}": { get: {} } });
const syntax = { status: 500, json: { error: `unrecognized token: "'"` } };
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({
    "GET /medicines": ({ query }) => respond(query.get("category") ?? ""),
    "GET /medicines/{id}": ({ params }) => respond(decodeURIComponent(params["id"] ?? "")),
  });
const stamped = apiDocument({
  "/premium": {
    post: {
      parameters: [{ name: "X-Auth-Token", in: "header", schema: { type: "string" } }],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { type: "object", required: ["age"], properties: { age: { type: "string" } } },
          },
        },
      },
    },
  },
});
const quotes = (value: string): number => value.split("'").length - 1;

testCheck(sqlError, {
  positive: [
    {
      name: "a database's error at one quote and none at two",
      document: list,
      target: responding((value) => (quotes(value) % 2 === 1 ? syntax : { json: [] })),
      finding: { severity: "high", location: { method: "GET", path: "/medicines", parameter: "category" } },
      count: 1,
    },
    {
      name: "a number that stands in a statement without quotes",
      document: object,
      target: responding((value) =>
        quotes(value) > 0 ? syntax : { status: 404, json: { error: "Not found" } },
      ),
      count: 1,
    },
    {
      name: "a header that is looked up before the body is read, of an operation that may write",
      document: stamped,
      target: fakeApi({
        "POST /premium": ({ headers, body }) =>
          body === "{" && quotes(String(headers["x-auth-token"])) % 2 === 1
            ? syntax
            : { status: 401, json: {} },
      }),
      finding: { location: { method: "POST", path: "/premium", parameter: "X-Auth-Token" } },
      count: 1,
    },
  ],
  negative: [
    { name: "a value that is bound", document: list, target: responding(() => ({ json: [] })) },
    {
      name: "a refusal with another text",
      document: list,
      target: responding((value) =>
        quotes(value) > 0 ? { status: 400, json: { error: "Invalid category" } } : { json: [] },
      ),
    },
    {
      name: "a database's complaint about the type of a bound value",
      document: object,
      target: responding((value) =>
        /^\d+$/.test(value)
          ? { json: {} }
          : { status: 500, json: { error: "invalid input syntax for type integer" } },
      ),
    },
  ],
  inconclusive: [
    { name: "a database that is always broken", document: list, target: responding(() => syntax) },
    {
      name: "text that has any quote refused with such an error",
      document: list,
      target: responding((value) => (quotes(value) > 0 ? syntax : { json: [] })),
    },
    {
      name: "a firewall",
      document: list,
      target: responding((value) =>
        quotes(value) > 0 ? { status: 403, body: "Request blocked" } : { json: [] },
      ),
    },
    {
      name: "an operation behind credentials",
      document: list,
      target: responding(() => ({ status: 401, json: {} })),
    },
  ],
});
