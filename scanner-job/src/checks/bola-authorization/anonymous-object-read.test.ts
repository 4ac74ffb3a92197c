import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import anonymousObjectRead from "./anonymous-object-read.ts";

const users = [
  { id: 7, name: "Ada" },
  { id: 8, name: "Grace" },
];
const list = { json: { users } };
const document = apiDocument({ "/users": { get: {} }, "/users/{id}": { get: {} } }, BEARER);

testCheck(anonymousObjectRead, {
  positive: [
    {
      name: "a user who is returned without credentials while an impossible id is not found",
      document,
      target: fakeApi({
        "GET /users": list,
        "GET /users/{id}": ({ params }) => {
          const user = users.find(({ id }) => String(id) === params["id"]);
          return user ? { json: user } : { status: 404, json: { error: "No such user" } };
        },
      }),
      finding: { severity: "high", location: { method: "GET", path: "/users/{id}" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "an operation that asks for credentials",
      document,
      target: fakeApi({
        "GET /users": list,
        "GET /users/{id}": { status: 401, json: { error: "Unauthorized" } },
      }),
    },
    {
      name: "an operation that refuses with status 200 and an error in JSON",
      document,
      target: fakeApi({
        "GET /users": list,
        "GET /users/{id}": { json: { success: false, error: "Authentication required" } },
      }),
    },
  ],
  inconclusive: [
    {
      name: "a host that answers every id with an object",
      document,
      target: fakeApi({ "GET /users": list, "GET /users/{id}": { json: { id: 1, name: "Anyone" } } }),
    },
    {
      name: "a connection that is cut",
      document,
      target: fakeApi({ "GET /users": list, "GET /users/{id}": { cut: true } }),
    },
  ],
});
