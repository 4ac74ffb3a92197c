import { instancesOf } from "@glovebox/domain";
import { expect, test } from "vitest";
import { BEARER, apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse, type Incoming, type Route } from "../../testing/fake-api.ts";
import { scanWith, testCheck } from "../../testing/test-check.ts";
import { CHECKS } from "../index.ts";
import check from "./missing-authentication.ts";

const unauthorized: FakeResponse = { status: 401, json: { error: "Unauthorized" } };
const NO_SUCH: FakeResponse = { status: 404, json: { error: "No such object" } };
const WRITE = { put: {}, delete: {} };

type Routes = Readonly<Record<string, Route>>;

/** The routes behind a guard that wants one token. */
const guarded = (routes: Routes): Routes =>
  Object.fromEntries(
    Object.entries(routes).map(([key, route]) => [
      key,
      (incoming: Incoming) => {
        if (incoming.headers.authorization !== "Bearer 7d0c2a91") return unauthorized;
        return typeof route === "function" ? route(incoming) : route;
      },
    ]),
  );

const rows = (
  name: string,
  all: readonly { readonly id: number; readonly [name: string]: unknown }[],
): Routes => ({
  [`GET /${name}`]: { json: all },
  [`GET /${name}/{id}`]: ({ params }) => {
    const row = all.find(({ id }) => String(id) === params["id"]);
    return row ? { json: row } : NO_SUCH;
  },
});

/** Keeps the accounts, the settings and the nodes of a cluster. */
const OPERATORS = rows("operators", [
  { id: 1, login: "mw", role: "owner" },
  { id: 2, login: "kt", role: "viewer" },
]);
const CLUSTER: Routes = {
  ...OPERATORS,
  "GET /nodes": { json: { nodes: [{ name: "n1", port: 7001, uptime: 3600, hostname: "n1-a", cpu: 0.4 }] } },
  "GET /limits": { json: { rules: [{ name: "burst", value: 20 }] } },
};
const CLUSTER_PATHS = {
  "/operators": { get: {}, post: {} },
  "/operators/{id}": { get: {}, ...WRITE },
  "/nodes": { get: {} },
  "/limits": { get: {} },
};
const CLUSTER_DOCUMENT = apiDocument(CLUSTER_PATHS);

/** Runs queries over streams, and keeps their state in files. */
const STREAMS: Routes = {
  "GET /streams": { json: ["orders", "clicks"] },
  "GET /jobs": { json: [{ id: "j1", status: "running", cpu: 3, memory: 901, command: "top" }] },
  "GET /runtime": { json: { os: "linux", arch: "amd64", dataDir: "/var/lib/streams/data", port: 9081 } },
};
const STREAMS_DOCUMENT = apiDocument({
  "/streams": { get: {}, post: { requestBody: takes("sql") } },
  "/jobs": { get: {}, post: { requestBody: takes("command", "schedule") } },
  "/runtime": { get: {} },
});

function takes(...names: string[]): object {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { required: true, content: { "application/json": { schema: { type: "object", properties } } } };
}

const READERS = rows("readers", [
  { id: 1, fullName: "Ada Winter", email: "ada@library.test" },
  { id: 2, fullName: "Ben Sommer", email: "ben@library.test" },
  { id: 3, fullName: "Cleo Herbst", email: "cleo@library.test" },
]);
const READERS_DOCUMENT = apiDocument({ "/readers": { get: {} }, "/readers/{id}": { get: {}, ...WRITE } });

const GOODS = rows("chairs", [
  { id: 1, name: "Low chair", price: 90 },
  { id: 2, name: "High chair", price: 120 },
]);
const SHOP: Routes = { ...GOODS, "GET /colours": { json: [{ id: 1, label: "red" }] } };
const READING = { "/chairs": { get: {} }, "/chairs/{id}": { get: {} }, "/colours": { get: {} } };
const WRITING = { ...READING, "/chairs/{id}": { get: {}, ...WRITE } };

const field = (name: string, type: string) => ({ name, args: [], type: { kind: "SCALAR", name: type } });
const SCHEMA = {
  queryType: { name: "Query" },
  mutationType: { name: "Mutation" },
  types: [
    { kind: "SCALAR", name: "String" },
    { kind: "OBJECT", name: "Member", fields: [field("login", "String"), field("role", "String")] },
    {
      kind: "OBJECT",
      name: "Query",
      fields: [
        { name: "members", args: [], type: { kind: "OBJECT", name: "Member" } },
        { name: "branches", args: [], type: { kind: "SCALAR", name: "String" } },
      ],
    },
    {
      kind: "OBJECT",
      name: "Mutation",
      fields: [
        {
          name: "removeMember",
          args: [
            { name: "id", type: { kind: "NON_NULL", name: null, ofType: { kind: "SCALAR", name: "ID" } } },
          ],
          type: { kind: "SCALAR", name: "String" },
        },
      ],
    },
  ],
};
const GRAPHQL: Routes = {
  "GET /graphql": { status: 405, json: { error: "Use POST" } },
  "POST /graphql": ({ body }) => {
    if (body.includes("__schema")) return { json: { data: { __schema: SCHEMA } } };
    if (body.includes("__typename")) return { json: { data: { __typename: "Query" } } };
    if (body.includes("members")) return { json: { data: { members: [{ login: "mw", role: "admin" }] } } };
    if (body.includes("branches")) return { json: { data: { branches: "North" } } };
    return { status: 400, json: { errors: [{ message: "Cannot query field" }] } };
  },
};

testCheck(check, {
  positive: [
    {
      name: "an administration API that serves everybody as critical, with the writes that are not sent",
      target: fakeApi(CLUSTER),
      document: CLUSTER_DOCUMENT,
      finding: { severity: "critical", category: "authentication", title: "Missing authentication" },
    },
    {
      name: "one whose documented search stores what it is sent, by its other operations",
      target: fakeApi({ ...CLUSTER, "POST /search": { status: 201, json: { id: 7 } } }),
      document: apiDocument({
        ...CLUSTER_PATHS,
        "/search": { post: { summary: "Search nodes", requestBody: takes("term") } },
      }),
      finding: { severity: "critical" },
    },
    {
      name: "a service that runs what it is sent, and shows its files and its processes, as critical",
      target: fakeApi(STREAMS),
      document: STREAMS_DOCUMENT,
      finding: { severity: "critical" },
    },
    {
      name: "personal data that anybody may change as critical",
      target: fakeApi(READERS),
      document: READERS_DOCUMENT,
      finding: { severity: "critical" },
    },
    {
      name: "a GraphQL API whose queries show accounts as critical, with its mutations",
      target: fakeApi(GRAPHQL),
      finding: { severity: "critical" },
      count: 2,
    },
    {
      name: "what the document says requires credentials as high",
      target: fakeApi({ ...SHOP }),
      document: apiDocument({ ...READING, "/colours": { get: {} } }, BEARER),
      finding: { severity: "high" },
    },
    {
      name: "writes to public data, of a document that declares no security, as high but tentative",
      target: fakeApi(SHOP),
      document: apiDocument(WRITING),
      finding: { severity: "high", confidence: "tentative" },
    },
    {
      name: "a public API that only reads as info",
      target: fakeApi(SHOP),
      document: apiDocument(READING),
      finding: { severity: "info" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "an administration API that asks for a token",
      target: fakeApi(guarded(CLUSTER)),
      document: CLUSTER_DOCUMENT,
    },
    {
      name: "an API of which one operation asks for a token",
      target: fakeApi({ ...CLUSTER, ...guarded(OPERATORS) }),
      document: CLUSTER_DOCUMENT,
    },
  ],
  inconclusive: [
    {
      name: "a gateway that asks everybody for credentials, regardless of the path",
      target: fakeApi({
        "GET /": { json: { name: "gateway" } },
        "* *": { status: 403, json: { message: "Forbidden" } },
      }),
      document: CLUSTER_DOCUMENT,
    },
    {
      name: "one operation that responds among many that are not found",
      target: fakeApi({ "GET /nodes": CLUSTER["GET /nodes"]! }),
      document: CLUSTER_DOCUMENT,
    },
    {
      name: "an API that refuses a wrong token, and serves callers without one",
      target: fakeApi(
        Object.fromEntries(
          Object.entries(READERS).map(([key, route]) => [
            key,
            (incoming: Incoming) => {
              if (incoming.headers.authorization) return unauthorized;
              return typeof route === "function" ? route(incoming) : route;
            },
          ]),
        ),
      ),
      document: READERS_DOCUMENT,
    },
    {
      name: "public data whose writes the document says are guarded, and were not sent",
      target: fakeApi(SHOP),
      document: apiDocument(
        { ...READING, "/chairs": { get: {}, post: { security: [{ bearer: [] }] } } },
        { components: BEARER.components },
      ),
    },
    {
      name: "a host that responds to everything",
      target: fakeApi({ "* *": ({ path }) => ({ json: { path, users: [{ login: "a", role: "b" }] } }) }),
      document: CLUSTER_DOCUMENT,
    },
  ],
});

test("names writes without sending one of them, and those that the scan never calls", async () => {
  const written: string[] = [];
  const routes = fakeApi(CLUSTER);
  const document = apiDocument({
    "/operators": { get: {} },
    "/operators/{id}": { get: {}, delete: {} },
    "/nodes": { get: {} },
    "/nodes/reset": { post: {} },
  });
  const report = await scanWith([check], {
    name: "",
    target: (request, response) => {
      if (request.method !== "GET") written.push(request.url!);
      routes(request, response);
    },
    document,
  });
  const named = report.findings
    .flatMap(instancesOf)
    .map(({ location }) => `${location.method} ${location.path}`);
  expect(named).toEqual(expect.arrayContaining(["DELETE /operators/{id}", "POST /nodes/reset"]));
  expect(written.filter((path) => /^\/(operators|nodes)/.test(path))).toEqual([]);
});

test("one missing guard is one finding, and what is wrong beside it stays apart", async () => {
  const report = await scanWith(
    CHECKS.filter(({ category }) => GUARDS.has(category)),
    {
      name: "",
      target: fakeApi({
        ...READERS,
        ...CLUSTER,
        "GET /nodes": ({ query }) =>
          (query.get("sort") ?? "").split("'").length % 2 === 0
            ? { status: 500, json: { error: `unrecognized token: "'"` } }
            : { json: { nodes: [{ name: "n1", port: 7001, uptime: 3600, hostname: "n1-a" }] } },
      }),
      document: apiDocument({
        "/readers": { get: {} },
        "/readers/{id}": { get: {}, ...WRITE },
        "/operators": { get: {} },
        "/admin/operators": { get: {} },
        "/nodes": { get: { parameters: [{ name: "sort", in: "query", schema: { type: "string" } }] } },
      }),
    },
  );
  const guards = report.findings.filter(
    ({ category }) => category !== "inputValidation" && category !== "dataExposure",
  );
  const grave = guards.filter(({ severity }) => severity !== "low" && severity !== "info");
  expect(grave.map((finding) => finding.check)).toEqual(["authentication/missing-authentication"]);
  expect(grave[0]?.alsoAffects).toContain("bolaAuthorization");
  expect(report.findings.map((finding) => finding.check)).toContain("input-validation/sql-error");
}, 60_000);

const GUARDS = new Set([
  "authentication",
  "bolaAuthorization",
  "bflaAuthorization",
  "propertyAuthorization",
  "dataExposure",
  "inputValidation",
]);
