import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import anonymousObjectRead from "./anonymous-object-read.ts";

const users = [
  { id: 7, name: "Ada" },
  { id: 8, name: "Grace" },
];
const list = { json: { users } };
const document = apiDocument({ "/users": { get: {} }, "/users/{id}": { get: {} } }, BEARER);

const userOf = (id: string | undefined): FakeResponse | undefined => {
  const user = users.find((each) => String(each.id) === id);
  return user && { json: user };
};
const returning = (none: FakeResponse) =>
  fakeApi({ "GET /users": list, "GET /users/{id}": ({ params }) => userOf(params["id"]) ?? none });

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
    {
      name: "a user below a real parent, as critical where patients are concerned",
      document: apiDocument(
        {
          "/clinics": { get: {} },
          "/clinics/{clinic}/users": { get: {} },
          "/clinics/{clinic}/users/{id}": { get: {} },
        },
        BEARER,
      ),
      context: "medical",
      target: fakeApi({
        "GET /clinics": { json: [{ id: "north" }] },
        "GET /clinics/north/users": list,
        "GET /clinics/north/users/7": { json: users[0]! },
      }),
      finding: { severity: "critical", location: { method: "GET", path: "/clinics/{clinic}/users/{id}" } },
    },
    {
      name: "a user who is returned while ids of no user fail with a fault",
      document,
      target: returning({ status: 500, json: { error: "Cannot read properties of null" } }),
    },
    {
      name: "a user who is returned while another kind of id is not found, and one of the same kind fails",
      document,
      target: fakeApi({
        "GET /users": list,
        "GET /users/{id}": ({ params: { id = "" } }) =>
          userOf(id) ?? (/^\d+$/.test(id) ? { status: 500, json: {} } : { status: 404, json: {} }),
      }),
    },
    {
      name: "a user who is returned while an impossible id is a success without a user",
      document,
      target: returning({ json: { user: null } }),
    },
  ],
  negative: [
    {
      name: "an operation that requires credentials",
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
    {
      name: "an operation that requires credentials and whose ids no response contains",
      document,
      target: fakeApi({ "* *": { status: 401, json: { error: "Unauthorized" } } }),
    },
  ],
  inconclusive: [
    {
      name: "an object that was deleted after it was listed",
      document,
      target: fakeApi({ "GET /users": list }),
    },
    {
      name: "a fault",
      document,
      target: fakeApi({ "GET /users": list, "GET /users/{id}": { status: 500, json: {} } }),
    },
    {
      name: "an operation that the document calls public",
      document: apiDocument({ "/users": { get: {} }, "/users/{id}": { get: { security: [] } } }, BEARER),
      target: fakeApi({ "GET /users": list, "GET /users/{id}": { json: users[0] } }),
    },
    {
      name: "a host that returns an object for every id",
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
