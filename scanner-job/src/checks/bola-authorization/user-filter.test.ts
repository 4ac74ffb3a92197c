import { apiDocument } from "../../testing/api-document.ts";
import { testCheck } from "../../testing/test-check.ts";
import { ALICE_AND_BOB, FORBIDDEN, USERS, usersApi, type UserRoute } from "../../testing/users-api.ts";
import check from "./user-filter.ts";

const ORDERS = [
  { id: 501, userId: USERS.alice.id, item: "Lamp" },
  { id: 502, userId: USERS.bob.id, item: "Cup" },
  { id: 503, userId: USERS.bob.id, item: "Mug" },
];
const of = (user: string | number) => ({
  json: ORDERS.filter(({ userId }) => String(userId) === String(user)),
});
const documentWith = (...names: string[]) =>
  apiDocument({
    "/me": { get: {} },
    "/orders": {
      get: { parameters: names.map((name) => ({ name, in: "query", schema: { type: "integer" } })) },
    },
  });
const filtered: UserRoute = ({ id }, { query }) => of(query.get("userId") ?? id);
const location = { method: "GET", path: "/orders", parameter: "userId" };
const common = { document: documentWith("userId"), identities: ALICE_AND_BOB };

testCheck(check, {
  positive: [
    {
      name: "the rows of another user by a declared filter",
      target: usersApi({ "GET /orders": filtered }),
      ...common,
      count: 1,
      finding: {
        location,
        observed:
          "The data of alice was returned to bob by the filter userId=11. It is what alice gets without the filter.",
      },
    },
    {
      name: "the rows of another user by a filter that is not declared",
      target: usersApi({ "GET /orders": filtered }),
      ...common,
      document: documentWith(),
      finding: { location },
    },
    {
      name: "the rows of another user by a filter without which there are none",
      target: usersApi({
        "GET /orders": (_, { query }) =>
          query.has("userId")
            ? of(query.get("userId")!)
            : { status: 400, json: { error: "userId is required" } },
      }),
      ...common,
      finding: { location },
    },
    {
      name: "an export of another user by a filter, which is no JSON and names nobody",
      target: usersApi({
        "GET /exports/orders": ({ id }, { query }) => ({
          headers: { "content-type": "text/csv" },
          body: [
            "number,item",
            ...of(query.get("userId") ?? id).json.map((row) => `${row.id},${row.item}`),
          ].join("\n"),
        }),
      }),
      document: apiDocument({
        "/me": { get: {} },
        "/exports/orders": {
          get: { parameters: [{ name: "userId", in: "query", schema: { type: "integer" } }] },
        },
      }),
      identities: ALICE_AND_BOB,
      finding: {
        location: { ...location, path: "/exports/orders" },
        observed:
          "The data of alice was returned to bob by the filter userId=11. It is what alice gets without the filter.",
      },
    },
  ],
  negative: [
    { name: "a filter that is ignored", target: usersApi({ "GET /orders": ({ id }) => of(id) }), ...common },
    {
      name: "a filter that is refused for others",
      target: usersApi({
        "GET /orders": (user, incoming) =>
          ["", String(user.id)].includes(incoming.query.get("userId") ?? "")
            ? filtered(user, incoming)
            : FORBIDDEN,
      }),
      ...common,
    },
  ],
  inconclusive: [
    {
      name: "a list that shows the rows of everybody",
      target: usersApi({
        "GET /orders": (_, { query }) => (query.has("userId") ? of(query.get("userId")!) : { json: ORDERS }),
      }),
      ...common,
    },
    {
      name: "an operation without a list",
      target: usersApi({}),
      document: apiDocument({ "/me": { get: {} } }),
      identities: ALICE_AND_BOB,
    },
  ],
});
