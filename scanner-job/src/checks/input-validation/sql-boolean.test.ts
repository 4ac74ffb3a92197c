import { DatabaseSync } from "node:sqlite";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sqlBoolean from "./sql-boolean.ts";

const document = apiDocument({
  "/teas": {
    get: { parameters: [{ name: "kind", in: "query", schema: { type: "string" }, example: "green" }] },
  },
});
const object = apiDocument({
  "/teas/{teaId}": {
    parameters: [{ name: "teaId", in: "path", required: true, schema: { type: "integer" }, example: 7 }],
    get: {},
  },
});
const rows = [{ name: "Sencha" }, { name: "Matcha" }];
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({
    "GET /teas": ({ query }) => respond(query.get("kind") ?? ""),
    "GET /teas/{id}": ({ params }) => respond(decodeURIComponent(params["id"] ?? "")),
  });

/** What a database makes of a condition: the base value alone also finds rows. */
const obeys = (value: string, baseValue: string): boolean => {
  const [, left, right] = /' AND '(\d+)'='(\d+)$/.exec(value) ?? / AND (\d+)=(\d+)$/.exec(value) ?? [];
  return value.startsWith(baseValue) && (value === baseValue || (left !== undefined && left === right));
};
let clock = 0;

const database = new DatabaseSync(":memory:");
database.exec(
  "CREATE TABLE teas (name, kind); INSERT INTO teas VALUES ('Sencha', 'green'), ('Earl', 'black')",
);
/** The teas of a kind, by a statement that the value is written into; conditions are refused. */
function ofKind(value: string): FakeResponse {
  if (/ (and|or) /i.test(value)) return { json: { teas: [] } };
  try {
    return { json: { teas: database.prepare(`SELECT name FROM teas WHERE kind = '${value}'`).all() } };
  } catch {
    return { status: 500, json: { error: "Something went wrong" } };
  }
}

testCheck(sqlBoolean, {
  positive: [
    {
      name: "a text whose conditions are obeyed",
      document,
      target: responding((value) => ({ json: { teas: obeys(value, "green") ? rows : [] } })),
      finding: { severity: "critical", location: { method: "GET", path: "/teas", parameter: "kind" } },
      count: 1,
    },
    {
      name: "a number whose conditions are obeyed",
      document: object,
      target: responding((value) =>
        obeys(value, "7") ? { json: rows[0] } : { status: 404, json: { error: "None" } },
      ),
      count: 1,
    },
    {
      name: "a statement in which halves are joined, where conditions are dropped",
      document,
      target: responding(ofKind),
      count: 1,
    },
    {
      name: "a response that reflects the value and contains the time",
      document,
      target: responding((value) => ({
        json: { time: clock++, kind: value, teas: obeys(value, "green") ? rows : [] },
      })),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is bound",
      document,
      target: responding((value) => ({ json: { teas: value === "green" ? rows : [] } })),
    },
    { name: "a value that is ignored", document, target: responding(() => ({ json: { teas: rows } })) },
    {
      name: "a value that is repeated",
      document,
      target: responding((value) => ({ json: { searched: value, teas: rows } })),
    },
    {
      name: "a search that drops all but letters and digits",
      document,
      target: responding((value) => ({
        json: { teas: value.replaceAll(/[^a-z\d]/gi, "") === "green" ? rows : [] },
      })),
    },
    {
      name: "a value that is ignored unless it is long or has a digit",
      document,
      target: responding((value) =>
        value.length > 11 || /\d/.test(value)
          ? { status: 422, json: { error: "Invalid" } }
          : { json: { teas: rows } },
      ),
    },
    {
      name: "columns that are sorted by when their list is short",
      document: apiDocument({
        "/teas": {
          get: { parameters: [{ name: "sort", in: "query", schema: { type: "string" }, example: "name" }] },
        },
      }),
      target: fakeApi({
        "GET /teas": ({ query }) =>
          (query.get("sort") ?? "").length > 8
            ? { status: 400, json: { error: "Too long" } }
            : { json: { teas: rows } },
      }),
    },
    {
      name: "content that varies by itself",
      document,
      target: responding(() => ({ json: { time: clock++, teas: rows } })),
    },
    {
      name: "rows that vary by themselves",
      document,
      target: responding(() => ({ json: { teas: rows.slice(0, clock++ % 3) } })),
    },
  ],
  inconclusive: [
    {
      name: "a query language that wants its quotes in pairs",
      document,
      target: responding((value) => {
        if (value.split("'").length % 2 === 0) return { status: 500, json: { error: "Unbalanced quotes" } };
        return { status: 404, json: { error: "None" } };
      }),
    },
    {
      name: "a firewall that refuses conditions",
      document,
      target: responding((value) =>
        value.includes("AND") ? { status: 403, body: "Forbidden" } : { json: { teas: rows } },
      ),
    },
    {
      name: "a base value that finds nothing",
      document,
      target: responding(() => ({ status: 404, json: {} })),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
