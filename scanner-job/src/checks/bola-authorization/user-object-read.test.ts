import { apiDocument } from "../../testing/api-document.ts";
import { testCheck } from "../../testing/test-check.ts";
import {
  ALICE_AND_BOB,
  identityOf,
  NOT_FOUND,
  USERS,
  usersApi,
  type TestUser,
  type UserRoute,
} from "../../testing/users-api.ts";
import check from "./user-object-read.ts";

const document = apiDocument({
  "/me": { get: {} },
  "/orders": { get: {} },
  "/orders/{orderId}": { get: {} },
});
const ORDERS = [
  { id: 501, userId: USERS.alice.id, total: 20, item: "Lamp" },
  { id: 502, userId: USERS.alice.id, total: 35, item: "Chair" },
  { id: 503, userId: USERS.bob.id, total: 12, item: "Cup" },
];
const found = (object: object | undefined) => (object ? { json: object } : NOT_FOUND);
const ofUser = ({ id }: TestUser) => ({ json: ORDERS.filter(({ userId }) => userId === id) });
const order: UserRoute = (_, { params }) => found(ORDERS.find(({ id }) => String(id) === params["orderId"]));
const own: UserRoute = (user, { params }) =>
  found(ORDERS.find(({ id, userId }) => userId === user.id && String(id) === params["orderId"]));

const target = usersApi({ "GET /orders": ofUser, "GET /orders/{orderId}": order });
const common = { document, identities: ALICE_AND_BOB };
const DIRECTORY = Object.values(USERS).map(({ id, username }) => ({ id, username }));
const users = apiDocument({ "/me": { get: {} }, "/users": { get: {} }, "/users/{userId}": { get: {} } });
const user =
  (json: (user: TestUser) => object): UserRoute =>
  (_, { params }) => {
    const known = Object.values(USERS).find(({ id }) => String(id) === params["userId"]);
    return known ? { json: json(known) } : NOT_FOUND;
  };

testCheck(check, {
  positive: [
    {
      name: "an object of another user that is returned by its id",
      target,
      ...common,
      count: 1,
      finding: {
        severity: "high",
        confidence: "confirmed",
        location: { method: "GET", path: "/orders/{orderId}" },
        observed: "Object 501 of alice was returned to bob. It names its owner in userId.",
      },
    },
    {
      name: "one in an envelope, without a list",
      target: usersApi({
        "GET /orders/{orderId}": (...given) => {
          const { json, status } = order(...given);
          return status ? NOT_FOUND : { json: { success: true, data: json } };
        },
      }),
      ...common,
      document: apiDocument({
        "/me": { get: {} },
        "/orders/{orderId}": {
          get: {},
          parameters: [
            { name: "orderId", in: "path", required: true, schema: { type: "integer" }, example: 501 },
          ],
        },
      }),
      finding: { location: { method: "GET", path: "/orders/{orderId}" } },
    },
    {
      name: "the account of another user that shows more than the directory of users",
      target: usersApi({
        "GET /users": () => ({ json: DIRECTORY }),
        "GET /users/{userId}": user(({ tenant: _, ...known }) => known),
      }),
      document: users,
      identities: ALICE_AND_BOB,
      finding: { location: { method: "GET", path: "/users/{userId}" } },
    },
    {
      name: "personal data that an administrator sees and a user gets",
      target: usersApi({
        "GET /orders": (caller) => (caller.role === "admin" ? { json: ORDERS } : ofUser(caller)),
        "GET /orders/{orderId}": (...given) => {
          const { json, ...rest } = order(...given);
          return json ? { json: { ...json, customerName: "Carol Smith", customerId: 70 } } : rest;
        },
      }),
      document,
      identities: [identityOf("admin"), identityOf("bob")],
      finding: { confidence: "firm" },
    },
  ],
  negative: [
    {
      name: "objects of other users that are not found",
      target: usersApi({ "GET /orders": ofUser, "GET /orders/{orderId}": own }),
      ...common,
    },
    {
      name: "a success without an object for other users",
      target: usersApi({
        "GET /orders": ofUser,
        "GET /orders/{orderId}": (...given) => {
          const { status, json } = own(...given);
          return status ? { json: { status: "ok", order: null } } : { json: { status: "ok", order: json } };
        },
      }),
      ...common,
    },
    {
      name: "a read that ignores the id and returns the caller's own object",
      target: usersApi({
        "GET /users": () => ({ json: DIRECTORY }),
        "GET /users/{userId}": (caller) => ({ json: caller }),
      }),
      document: users,
      identities: ALICE_AND_BOB,
    },
    {
      name: "an object that names the other user among its members",
      target: usersApi({
        "GET /orders": ofUser,
        "GET /orders/{orderId}": (...given) => {
          const { json, ...rest } = order(...given);
          return json ? { json: { ...json, members: [USERS.alice.id, USERS.bob.id] } } : rest;
        },
      }),
      ...common,
    },
    {
      name: "an object with fewer members for other users",
      target: usersApi({
        "GET /orders": ofUser,
        "GET /orders/{orderId}": (caller, incoming) => {
          const { json, ...rest } = order(caller, incoming);
          const known = json as (typeof ORDERS)[number] | undefined;
          if (!known) return rest;
          return known.userId === caller.id ? { json: known } : { json: { kind: "order", hidden: "yes" } };
        },
      }),
      ...common,
    },
  ],
  inconclusive: [
    {
      name: "objects that every user lists",
      target: usersApi({ "GET /orders": () => ({ json: ORDERS }), "GET /orders/{orderId}": order }),
      ...common,
    },
    {
      name: "public profiles",
      target: usersApi({
        "GET /users": () => ({ json: DIRECTORY }),
        "GET /users/{userId}": user(({ id, username }) => ({ id, username, bio: "Likes tea" })),
      }),
      document: users,
      identities: ALICE_AND_BOB,
    },
    {
      name: "objects that anonymous callers get too",
      target: usersApi(
        { "GET /orders": ofUser },
        { "GET /orders/{orderId}": (incoming) => order(USERS.alice, incoming) },
      ),
      ...common,
    },
    {
      name: "users of one tenant",
      target,
      document,
      identities: [identityOf("alice", { tenant: "acme" }), identityOf("bob", { tenant: "acme" })],
    },
    { name: "one identity", target, document, identities: [identityOf("alice")] },
    {
      name: "objects that say that they are shared",
      target: usersApi({
        "GET /orders": ofUser,
        "GET /orders/{orderId}": (...given) => {
          const { json, ...rest } = order(...given);
          return json ? { json: { ...json, visibility: "team" } } : rest;
        },
      }),
      ...common,
    },
  ],
});
