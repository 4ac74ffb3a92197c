import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import graphqlAnonymousData from "./graphql-anonymous-data.ts";

const text = { kind: "SCALAR", name: "String" };
const field = (name: string, type: object = text) => ({ name, args: [], type });
const schemaWith = (query: string, ...fields: string[]) => ({
  queryType: { name: "Query" },
  types: [
    { kind: "OBJECT", name: "Query", fields: [field(query, { kind: "OBJECT", name: "Row" })] },
    { kind: "OBJECT", name: "Row", fields: fields.map((name) => field(name)) },
  ],
});

const endpoint = (query: string, response: FakeResponse | object[]) =>
  fakeApi({
    "GET /graphql": { status: 405 },
    "POST /graphql": ({ body }): FakeResponse => {
      const { query: sent = "" } = JSON.parse(body) as { query?: string };
      if (sent.includes("__schema"))
        return { json: { data: { __schema: schemaWith(query, "username", "role", "action") } } };
      if (sent.includes("__typename")) return { json: { data: { __typename: "Query" } } };
      if (!sent.includes(query))
        return { status: 400, json: { errors: [{ message: "Cannot query this field" }] } };
      return Array.isArray(response) ? { json: { data: { [query]: response } } } : response;
    },
  });
const at = (parameter: string) => ({ location: { method: "POST", path: "/graphql", parameter } });

testCheck(graphqlAnonymousData, {
  positive: [
    {
      name: "which accounts administer, as an operation of administrators",
      target: endpoint("users", [
        { username: "ada", role: "user" },
        { username: "grace", role: "admin" },
      ]),
      finding: { severity: "high", confidence: "firm", ...at("users") },
      count: 1,
    },
    {
      name: "accounts with a flag of administrators",
      target: endpoint("users", [{ username: "ada", isAdmin: true }]),
      finding: { severity: "high" },
    },
    {
      name: "accounts with their roles, none of an administrator",
      target: endpoint("users", [{ username: "ada", role: "user" }]),
      finding: { severity: "medium", confidence: "firm" },
    },
    {
      name: "an audit log",
      target: endpoint("auditLogs", [{ action: "export" }]),
      finding: { severity: "high", ...at("auditLogs") },
    },
    {
      name: "names of accounts, for less",
      target: endpoint("users", [{ username: "ada" }]),
      finding: { severity: "low" },
    },
  ],
  negative: [
    {
      name: "a query that is refused",
      target: endpoint("users", {
        json: { errors: [{ message: "Not authenticated" }], data: { users: null } },
      }),
    },
    { name: "what has no name of an account", target: endpoint("users", [{ action: "none" }]) },
  ],
  inconclusive: [
    { name: "an empty list", target: endpoint("users", []) },
    { name: "a query that throttles", target: endpoint("users", { status: 429 }) },
    { name: "a query for something else", target: endpoint("books", [{ username: "ada" }]) },
  ],
});
