import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import unguardedMutation from "./unguarded-mutation.ts";

const scalar = (name: string) => ({ kind: "SCALAR", name });
const needed = (ofType: object) => ({ kind: "NON_NULL", name: null, ofType });
const field = (name: string, args: object[], type: object = scalar("Boolean")) => ({ name, args, type });
const schemaWith = (...mutations: object[]) => ({
  queryType: { name: "Query" },
  mutationType: { name: "Mutation" },
  types: [
    { kind: "OBJECT", name: "Query", fields: [field("version", [], scalar("String"))] },
    { kind: "OBJECT", name: "Mutation", fields: mutations },
  ],
});
const id = { name: "id", type: needed(scalar("Int")) };
const shelf = field("deleteShelf", [id]);

function endpoint(response: FakeResponse, schema: object = schemaWith(field("createShelf", []), shelf)) {
  return fakeApi({
    "GET /graphql": { status: 405 },
    "POST /graphql": ({ body }) => {
      const { query = "" } = JSON.parse(body) as { query?: string };
      if (query.includes("__schema"))
        return { json: "none" in schema ? { errors: [{ message: "Off" }] } : { data: { __schema: schema } } };
      if (query.includes("__typename")) return { json: { data: { __typename: "Query" } } };
      return query.includes("deleteShelf")
        ? response
        : { status: 400, json: { errors: [{ message: "Cannot query this field" }] } };
    },
  });
}
const responding = (message: string): FakeResponse => ({
  json: { errors: [{ message }], data: { deleteShelf: null } },
});

testCheck(unguardedMutation, {
  positive: [
    {
      name: "a mutation that finds no such object",
      target: endpoint(responding("No shelf with this id exists")),
      finding: {
        severity: "high",
        confidence: "tentative",
        location: { method: "POST", path: "/graphql", parameter: "deleteShelf" },
      },
      count: 1,
    },
    {
      name: "a mutation that deletes users as critical",
      target: fakeApi({
        "GET /graphql": { status: 405 },
        "POST /graphql": ({ body }) => {
          if (body.includes("__schema"))
            return { json: { data: { __schema: schemaWith(field("deleteUser", [id])) } } };
          if (body.includes("__typename")) return { json: { data: { __typename: "Query" } } };
          return body.includes("deleteUser")
            ? { json: { errors: [{ message: "No user with this id exists" }], data: { deleteUser: null } } }
            : { status: 400, json: { errors: [{ message: "Cannot query this field" }] } };
        },
      }),
      finding: { severity: "critical", confidence: "firm" },
    },
    {
      name: "one that says that nothing was deleted",
      target: endpoint({ json: { data: { deleteShelf: false } } }),
    },
  ],
  negative: [
    { name: "one that asks for credentials", target: endpoint(responding("Not authenticated")) },
    { name: "one that returns null", target: endpoint({ json: { data: { deleteShelf: null } } }) },
    {
      name: "one that returns an object that says so",
      target: endpoint({ json: { data: { deleteShelf: { ok: false, error: "Please sign in" } } } }),
    },
    { name: "one that fails of itself", target: endpoint(responding("Internal server error")) },
  ],
  inconclusive: [
    { name: "a host without GraphQL", target: fakeApi({ "GET /": { json: {} } }) },
    { name: "an endpoint that hides its schema", target: endpoint(responding("x"), { none: true }) },
    {
      name: "a schema whose mutations only create",
      target: endpoint(responding("x"), schemaWith(field("createShelf", []))),
    },
    {
      name: "a schema whose mutations delete everything",
      target: endpoint(responding("x"), schemaWith(field("deleteAllShelves", [id]))),
    },
  ],
});
