import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import graphqlIntrospection from "./graphql-introspection.ts";

const responding =
  (introspected: object): Route =>
  ({ body }) =>
    body.includes("__schema") ? introspected : { json: { data: { __typename: "Query" } } };
const schema = { json: { data: { __schema: { queryType: { name: "Query" }, types: [{ name: "Query" }] } } } };
const serving = (path: string, introspected: object) =>
  fakeApi({
    [`GET ${path}`]: { status: 400, json: { errors: [{ message: "Must provide query string" }] } },
    [`POST ${path}`]: responding(introspected),
  });

testCheck(graphqlIntrospection, {
  positive: [
    {
      name: "a schema at the common address",
      target: serving("/graphql", schema),
      finding: { severity: "low", location: { method: "POST", path: "/graphql" } },
      count: 1,
    },
    {
      name: "a schema at an address that is not found by GET",
      target: fakeApi({ "POST /api/graphql": responding(schema) }),
      finding: { location: { method: "POST", path: "/api/graphql" } },
      count: 1,
    },
    {
      name: "a schema at the submitted address",
      path: "/shop/q",
      target: serving("/shop/q", schema),
      finding: { location: { method: "POST", path: "/shop/q" } },
      count: 1,
    },
    {
      name: "a schema at every address",
      target: fakeApi({ "GET *": { status: 400, json: {} }, "POST *": responding(schema) }),
      finding: { location: { method: "POST", path: "/" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "an endpoint that keeps its schema",
      target: serving("/graphql", {
        status: 400,
        json: { errors: [{ message: "Introspection is disabled" }] },
      }),
    },
  ],
  inconclusive: [
    { name: "a host without GraphQL", target: fakeApi({ "GET /": { json: {} } }) },
    {
      name: "a host that returns a schema for every query",
      target: fakeApi({
        "GET /graphql": { status: 400, json: {} },
        "POST *": { json: { data: { __typename: "Query", ...schema.json.data } } },
      }),
    },
    { name: "an endpoint that faults", target: serving("/graphql", { status: 500, body: "" }) },
  ],
});
