import { describe, expect, it } from "vitest";
import { insertionPoints } from "../../attacks/insertion-points.ts";
import { aTargetProfile } from "../../testing/samples.ts";
import { fakeApi, type FakeResponse, type Route } from "../../testing/fake-api.ts";
import { inventoryOf } from "../../testing/inventory-of.ts";
import { createIdPool } from "../id-pool.ts";
import { createBaselineRequests } from "../baseline-requests.ts";
import { graphqlOperations } from "./queries.ts";

const scalar = (name: string) => ({ kind: "SCALAR", name });
const needed = (ofType: object) => ({ kind: "NON_NULL", name: null, ofType });
const list = (ofType: object) => ({ kind: "LIST", name: null, ofType });
const object = (name: string) => ({ kind: "OBJECT", name });

const SCHEMA = {
  queryType: { name: "Query" },
  mutationType: { name: "Mutation" },
  types: [
    scalar("String"),
    scalar("ID"),
    scalar("Int"),
    { kind: "ENUM", name: "Sort", enumValues: [{ name: "ASC" }, { name: "DESC" }] },
    {
      kind: "INPUT_OBJECT",
      name: "Filter",
      inputFields: [
        { name: "term", type: needed(scalar("String")) },
        { name: "limit", type: scalar("Int") },
      ],
    },
    {
      kind: "OBJECT",
      name: "User",
      fields: [
        { name: "id", type: needed(scalar("ID")), args: [] },
        { name: "name", type: scalar("String"), args: [] },
        { name: "posts", type: list(object("Post")), args: [] },
        { name: "avatar", type: scalar("String"), args: [{ name: "size", type: needed(scalar("Int")) }] },
      ],
    },
    {
      kind: "OBJECT",
      name: "Post",
      fields: [
        { name: "title", type: scalar("String"), args: [] },
        { name: "author", type: object("User"), args: [] },
      ],
    },
    {
      kind: "OBJECT",
      name: "Query",
      fields: [
        { name: "user", type: object("User"), args: [{ name: "id", type: needed(scalar("ID")) }] },
        {
          name: "search",
          type: list(object("Post")),
          args: [
            { name: "filter", type: needed({ kind: "INPUT_OBJECT", name: "Filter" }) },
            { name: "sort", type: { kind: "ENUM", name: "Sort" } },
            { name: "first", type: scalar("Int") },
          ],
        },
        { name: "version", type: scalar("String"), args: [] },
        { name: "deleteAll", type: scalar("String"), args: [] },
      ],
    },
    { kind: "OBJECT", name: "Mutation", fields: [{ name: "createUser", type: object("User"), args: [] }] },
  ],
};

describe("the queries of a schema", () => {
  const operations = graphqlOperations(SCHEMA, "/graphql");
  const sampleOf = (name: string): unknown =>
    operations.find(({ graphqlField }) => graphqlField === name)?.body?.sample;

  it("the queries of a schema are operations that read, and mutations are none", () => {
    expect(operations.map(({ graphqlField }) => graphqlField)).toEqual([
      "user",
      "search",
      "version",
      "deleteAll",
    ]);
  });

  it("ask for what objects hold, with what must be there as variables", () => {
    expect(sampleOf("user")).toEqual({
      query: "query($id:ID!){user(id:$id){id name posts{title}}}",
      variables: { id: "1" },
    });
    expect(sampleOf("search")).toEqual({
      query:
        "query($filter:Filter!,$sort:Sort,$first:Int){search(filter:$filter,sort:$sort,first:$first){title author{id name}}}",
      variables: { filter: { term: "test" } },
    });
    expect(sampleOf("version")).toEqual({ query: "query{version}", variables: {} });
  });

  it("the queries of a schema have their arguments as parameters", () => {
    const [user, search] = operations;
    expect(user?.parameters).toMatchObject([
      { name: "user.id", in: "graphql", required: true, type: "string" },
    ]);
    expect(search?.parameters.map(({ name, type, required }) => `${name} ${type} ${required}`)).toEqual([
      "search.filter.term string true",
      "search.filter.limit integer false",
      "search.sort string false",
      "search.first integer false",
    ]);
    expect(search?.parameters[2]?.enum).toEqual(["ASC", "DESC"]);
  });

  it.each<[string, unknown]>([
    ["no schema", undefined],
    ["a schema without types", { queryType: { name: "Query" } }],
    [
      "names that are none",
      { types: [{ kind: "OBJECT", name: "Query", fields: [{ name: "a){b", args: [] }, { name: 5 }] }] },
    ],
  ])("the queries of a schema are none where there is %s", (_, schema) =>
    expect(graphqlOperations(schema, "/graphql")).toEqual([]),
  );
});

/** Executes as much of a query as the tests send. */
const endpoint: Route = ({ body }) => {
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
  if (query.includes("__schema")) return { json: { data: { __schema: SCHEMA } } };
  if (query.includes("__typename")) return { json: { data: { __typename: "Query" } } };
  return { json: { data: { echo: variables } } };
};

/** The same, but nothing is found by this id. */
const refusing =
  (id: string): Route =>
  (incoming) => {
    const { variables } = JSON.parse(incoming.body) as { variables?: Record<string, unknown> };
    return variables?.["id"] === id
      ? { json: { errors: [{ message: "not found" }], data: null, error: "none" } }
      : (endpoint as (given: typeof incoming) => FakeResponse)(incoming);
  };

describe("a target with GraphQL", { timeout: 30_000 }, () => {
  const target = fakeApi({
    "GET /graphql": { status: 405, json: { error: "Use POST" } },
    "POST /graphql": endpoint,
  });

  it("a target with GraphQL has its queries among the operations, but for those that by name destroy something", async () => {
    const { operations, notes } = await inventoryOf(target);
    const fields = operations.flatMap(({ facts }) => facts.graphqlField ?? []);
    expect(fields).toEqual(["user", "search", "version"]);
    expect(notes.join()).toContain("POST /graphql (deleteAll)");
    expect(operations.filter(({ facts }) => facts.graphqlField).every(({ isRead }) => isRead)).toBe(true);
  });

  it("a target with GraphQL is sent a query with its variables, as it is ordinarily sent", async () => {
    const sent: unknown[] = [];
    await inventoryOf(target, {}, async ({ operations }, transport) => {
      const user = operations.find(({ facts }) => facts.graphqlField === "user")!;
      sent.push((await transport.send(user.request())).json);
    });
    expect(sent).toEqual([{ data: { echo: { id: "1" } } }]);
  });

  it("a target with GraphQL is asked for what other responses show", async () => {
    const routes: Record<string, Route> = {
      "GET /users": { json: [{ id: "u-9" }] },
      "GET /graphql": { status: 405 },
    };
    const document = { openapi: "3.1.0", info: {}, paths: { "/users": { get: {} } } };
    let sent: string | undefined;
    await inventoryOf(
      fakeApi({ ...routes, "POST /graphql": refusing("1") }),
      { document },
      async ({ operations }, transport) => {
        const send = transport.send.bind(transport);
        const baselineRequests = createBaselineRequests({
          send,
          operations,
          idPool: createIdPool({ send, operations }),
        });
        const user = operations.find(({ facts }) => facts.graphqlField === "user")!;
        sent = user.request(await baselineRequests.changesFor(user)).body;
      },
    );
    expect(JSON.parse(sent!)).toMatchObject({ variables: { id: "u-9" } });
  });

  it("a target with GraphQL has each argument as an insertion point", async () => {
    const { operations } = await inventoryOf(target);
    const points = insertionPoints(aTargetProfile({ operations }));
    const names = points
      .filter(({ parameter }) => parameter.in === "graphql")
      .flatMap(({ location }) => location.parameter ?? []);
    expect(names.toSorted()).toEqual([
      "search.filter.limit",
      "search.filter.term",
      "search.first",
      "search.sort",
      "user.id",
    ]);
  });
});
