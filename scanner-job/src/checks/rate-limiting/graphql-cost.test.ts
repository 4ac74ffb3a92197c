import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import graphqlCost from "./graphql-cost.ts";

interface Limits {
  readonly batches: boolean;
  readonly aliases: number;
}

/** As much of GraphQL as the check asks for. */
function graphql({ batches, aliases }: Limits) {
  const execute = (query: string): object => {
    const fields = [...query.matchAll(/(?:(\w+):)?__typename/g)];
    if (fields.length === 0) return { errors: [{ message: "Cannot query this field" }] };
    if (fields.length > aliases) return { errors: [{ message: "Query is too complex" }] };
    return { data: Object.fromEntries(fields.map(([, alias]) => [alias ?? "__typename", "Query"])) };
  };
  const respond = (body: unknown): FakeResponse => {
    if (!Array.isArray(body)) return { json: execute((body as { query: string }).query) };
    if (!batches) return { status: 400, json: { errors: [{ message: "Batching is off" }] } };
    return { json: body.map(({ query }: { query: string }) => execute(query)) };
  };
  return fakeApi({
    "GET /graphql": { status: 405, json: { error: "Use POST" } },
    "POST /graphql": ({ body }) => respond(JSON.parse(body)),
  });
}

testCheck(graphqlCost, {
  positive: [
    {
      name: "a server that executes batches",
      target: graphql({ batches: true, aliases: 3 }),
      finding: { severity: "low", location: { method: "POST", path: "/graphql" } },
      count: 1,
    },
    {
      name: "a server that executes ten aliases, for information",
      target: graphql({ batches: false, aliases: 100 }),
      finding: { severity: "info" },
    },
  ],
  negative: [{ name: "a server that limits both", target: graphql({ batches: false, aliases: 3 }) }],
  inconclusive: [
    { name: "a host without GraphQL", target: fakeApi({}) },
    {
      name: "a host that returns data for everything",
      target: fakeApi({
        "POST /graphql": { json: { data: { __typename: "Query" } } },
        "GET /graphql": { status: 405, json: {} },
      }),
    },
  ],
});
