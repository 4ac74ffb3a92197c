import type { Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byBody, type Row } from "../row.ts";

/** As much of GraphQL as the checks ask for: introspection, aliases, batches, and a few fields that `open` guards or not. */
export const graphql = (open: boolean): Route =>
  byBody((body) => {
    const batch = Object.keys(body).every((key) => /^\d+$/.test(key)) ? Object.values(body) : undefined;
    if (batch)
      return open
        ? { json: batch.map((each) => execute(each, open)) }
        : { status: 400, json: { errors: [{ message: "One query at a time" }] } };
    return { json: execute(body, open) };
  });

const text = { kind: "SCALAR", name: "String" };
const needed = { kind: "NON_NULL", name: null, ofType: { kind: "SCALAR", name: "Int" } };
const fields = (...names: string[]) => names.map((name) => ({ name, args: [], type: text }));
const rows = (name: string, type: string) => ({
  name,
  args: [],
  type: { kind: "LIST", ofType: { kind: "OBJECT", name: type } },
});
const SCHEMA = {
  queryType: { name: "Query" },
  mutationType: { name: "Mutation" },
  types: [
    { kind: "OBJECT", name: "Query", fields: [rows("staffAccounts", "Account"), rows("drafts", "Draft")] },
    { kind: "OBJECT", name: "Account", fields: fields("username", "role") },
    {
      kind: "OBJECT",
      name: "Draft",
      fields: [...fields("text"), { name: "private", args: [], type: { kind: "SCALAR", name: "Boolean" } }],
    },
    {
      kind: "OBJECT",
      name: "Mutation",
      fields: [{ name: "removeShelf", args: [{ name: "id", type: needed }], type: text }],
    },
  ],
};
const REFUSED = { errors: [{ message: "Not authenticated" }], data: null };

/** What each field returns where nothing guards it. */
const FIELDS: Readonly<Record<string, object>> = {
  staffAccounts: { data: { staffAccounts: [{ username: "ines", role: "admin" }] } },
  drafts: { data: { drafts: [{ text: "New opening hours", private: true }] } },
  removeShelf: { errors: [{ message: "No such shelf" }], data: { removeShelf: null } },
};

function execute(request: unknown, open: boolean): object {
  const query = String((request as { query?: unknown }).query);
  if (query.includes("__schema"))
    return open ? { data: { __schema: SCHEMA } } : { errors: [{ message: "Introspection is off" }] };
  const field = Object.keys(FIELDS).find((name) => new RegExp(`\\b${name}\\b`).test(query));
  if (field !== undefined) return open ? FIELDS[field]! : REFUSED;
  const asked = [...query.matchAll(/(?:(\w+)\s*:\s*)?__typename/g)];
  if (asked.length === 0) return unknownField(open ? suggestionFor(query) : undefined);
  if (!open && asked.length > 3) return { errors: [{ message: "Too many fields" }] };
  return { data: Object.fromEntries(asked.map(([, alias]) => [alias ?? "__typename", "Query"])) };
}

/** A field whose name the text nearly has, as a server suggests it. */
const suggestionFor = (query: string): string | undefined =>
  Object.keys(FIELDS).find((name) => query.includes(name)) ??
  (/\bstaff/.test(query) ? "staffAccounts" : undefined);

const unknownField = (suggested: string | undefined): object => ({
  errors: [
    {
      message: `Cannot query field "it" on type "Query".${suggested ? ` Did you mean "${suggested}"?` : ""}`,
    },
  ],
});

const sameEndpoint = { at: "POST /graphql", weak: {}, safe: {} };

export const graphqlRows: readonly Row[] = [
  {
    checks: ["inventory-management/graphql-introspection"],
    at: "POST /graphql",
    weak: { "GET /graphql": { status: 405, json: { error: "Use POST" } }, "POST /graphql": graphql(true) },
    safe: { "GET /graphql": { status: 405, json: { error: "Use POST" } }, "POST /graphql": graphql(false) },
  },
  { checks: ["rate-limiting/graphql-cost"], ...sameEndpoint },
  { checks: ["inventory-management/graphql-suggestions"], ...sameEndpoint },
  { checks: ["bfla-authorization/unguarded-mutation"], ...sameEndpoint },
  { checks: ["bola-authorization/graphql-anonymous-data"], ...sameEndpoint },
  { checks: ["bola-authorization/private-records"], ...sameEndpoint },
];
