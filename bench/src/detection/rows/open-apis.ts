import type { Incoming, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { notFound, taking, unauthorized, type Row, type Routes } from "../row.ts";
import { hostRow } from "./hosts.ts";

const TOKEN = "Bearer 4be1c07d9a";

const guard =
  (route: Route): Route =>
  (incoming: Incoming) => {
    if (incoming.headers.authorization !== TOKEN) return unauthorized;
    return typeof route === "function" ? route(incoming) : route;
  };

/** One API that asks nobody for credentials, and its twin that asks for a token everywhere. */
const openApi = (row: Pick<Row, "document" | "alsoTrue"> & { readonly routes: Routes }): Row => {
  const { routes, ...rest } = row;
  return hostRow({
    checks: ["authentication/missing-authentication"],
    at: "GET /",
    weak: routes,
    safe: Object.fromEntries(Object.entries(routes).map(([key, route]) => [key, guard(route)])),
    ...rest,
  });
};

const collection = (name: string, rows: readonly { readonly id: number }[]): Routes => ({
  [`GET /${name}`]: { json: rows },
  [`GET /${name}/{id}`]: ({ params }) => {
    const row = rows.find(({ id }) => String(id) === params["id"]);
    return row ? { json: row } : notFound;
  },
  [`* /${name}/{id}`]: notFound,
});

const READERS = [
  { id: 1, fullName: "Ines Albrecht", email: "ines@readers.test", born: "1981" },
  { id: 2, fullName: "Tomas Bauer", email: "tomas@readers.test", born: "1975" },
  { id: 3, fullName: "Vera Conrad", email: "vera@readers.test", born: "1990" },
];
const OPERATORS = [
  { id: 1, login: "ines", role: "owner" },
  { id: 2, login: "tomas", role: "viewer" },
];

const text = { kind: "SCALAR", name: "String" };
const SCHEMA = {
  queryType: { name: "Query" },
  mutationType: { name: "Mutation" },
  types: [
    text,
    {
      kind: "OBJECT",
      name: "Keeper",
      fields: ["login", "role"].map((name) => ({ name, args: [], type: text })),
    },
    {
      kind: "OBJECT",
      name: "Query",
      fields: [
        { name: "keepers", args: [], type: { kind: "OBJECT", name: "Keeper" } },
        { name: "motto", args: [], type: text },
      ],
    },
    { kind: "OBJECT", name: "Mutation", fields: [{ name: "closeBranch", args: [], type: text }] },
  ],
};

/** GraphQL by POST alone. */
const responding: Route = ({ body }) => {
  if (body.includes("__schema")) return { json: { data: { __schema: SCHEMA } } };
  if (body.includes("__typename")) return { json: { data: { __typename: "Query" } } };
  if (body.includes("keepers")) return { json: { data: { keepers: [{ login: "ines", role: "admin" }] } } };
  if (body.includes("motto")) return { json: { data: { motto: "Read on" } } };
  return { status: 400, json: { errors: [{ message: "Cannot query field" }] } };
};

/** APIs without a guard, each on a separate host. */
export const openApiRows: readonly Row[] = [
  openApi({
    document: {
      "/operators": { get: {}, post: taking("login", "role") },
      "/operators/{id}": { get: {}, delete: {} },
      "/machines": { get: {} },
    },
    routes: {
      ...collection("operators", OPERATORS),
      "GET /machines": { json: [{ name: "m1", hostname: "m1-a", port: 7001, uptime: 3600, cpu: 0.2 }] },
    },
  }),
  openApi({
    document: {
      "/streams": { get: {}, post: taking("sql") },
      "/jobs": { get: {}, post: taking("command", "schedule") },
      "/runtime": { get: {} },
    },
    routes: {
      "GET /streams": { json: ["loans", "returns"] },
      "GET /jobs": { json: [{ name: "nightly", cpu: 3, memory: 901, command: "index" }] },
      "GET /runtime": { json: { os: "linux", arch: "arm64", dataDir: "/var/lib/streams", port: 9081 } },
    },
  }),
  openApi({
    document: { "/readers": { get: {} }, "/readers/{id}": { get: {}, put: {}, delete: {} } },
    routes: collection("readers", READERS),
    alsoTrue: {
      "data-exposure/personal-data-lists": "readers with their addresses, listed for anybody",
      "bola-authorization/personal-object": "each of them by its id",
      "bola-authorization/altered-id-read": "ids that can be counted",
    },
  }),
  openApi({
    routes: { "GET /graphql": { status: 405, json: { error: "Use POST" } }, "POST /graphql": responding },
    alsoTrue: { "bola-authorization/graphql-anonymous-data": "accounts with their roles" },
  }),
];
