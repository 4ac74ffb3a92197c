import { apiDocument } from "../../testing/api-document.ts";
import { testCheck } from "../../testing/test-check.ts";
import {
  ALICE_AND_BOB,
  FORBIDDEN,
  NOT_FOUND,
  USERS,
  usersApi,
  type UserRoute,
} from "../../testing/users-api.ts";
import check from "./user-child-read.ts";

const ORDERS = [
  { id: 501, userId: USERS.alice.id },
  { id: 502, userId: USERS.bob.id },
];
const ITEMS = [
  { orderId: 501, sku: "lamp-7", note: "For the bedroom" },
  { orderId: 502, sku: "cup-1", note: "A gift" },
];
const document = apiDocument({
  "/me": { get: {} },
  "/orders": { get: {} },
  "/orders/{orderId}": { get: {} },
  "/orders/{orderId}/items": { get: {} },
});
const idIn = (params: Readonly<Record<string, string>>) => Number(params["orderId"]);
const list: UserRoute = ({ id }) => ({ json: ORDERS.filter(({ userId }) => userId === id) });
const guarded: UserRoute = ({ id: caller }, { params }) => {
  const known = ORDERS.find(({ id }) => id === idIn(params));
  if (!known) return NOT_FOUND;
  return known.userId === caller ? { json: known } : FORBIDDEN;
};
const items: UserRoute = (_, { params }) =>
  ORDERS.some(({ id }) => id === idIn(params))
    ? { json: ITEMS.filter(({ orderId }) => orderId === idIn(params)) }
    : NOT_FOUND;
const guardedItems: UserRoute = (user, incoming) =>
  guarded(user, incoming).status ? guarded(user, incoming) : items(user, incoming);

const common = { document, identities: ALICE_AND_BOB };
const routes = { "GET /orders": list, "GET /orders/{orderId}": guarded };

/** Reports below users: the guard looks at the user in the path, and not at whose report it is. */
const reportOf: UserRoute = (user, { params }) => {
  if (Number(params["userId"]) !== user.id) return FORBIDDEN;
  const owner = { 91: USERS.alice, 92: USERS.bob }[Number(params["reportId"])];
  return owner ? { json: [{ reportId: Number(params["reportId"]), customerEmail: owner.email }] } : NOT_FOUND;
};

testCheck(check, {
  positive: [
    {
      name: "the items of an order that is itself refused",
      target: usersApi({ ...routes, "GET /orders/{orderId}/items": items }),
      ...common,
      count: 1,
      finding: {
        location: { method: "GET", path: "/orders/{orderId}/items" },
        observed:
          "Object 501 of alice was returned to bob, although /orders/{orderId} returns 403. It names its owner in userId.",
      },
    },
    {
      name: "the items of an order that is not refused either",
      target: usersApi({
        ...routes,
        "GET /orders/{orderId}": (_, { params }) => {
          const known = ORDERS.find(({ id }) => id === idIn(params));
          return known ? { json: known } : NOT_FOUND;
        },
        "GET /orders/{orderId}/items": items,
      }),
      ...common,
      finding: { observed: "Object 501 of alice was returned to bob. It names its owner in userId." },
    },
    {
      name: "what belongs to another user below the caller's own parent",
      target: usersApi({
        "GET /users/{userId}/reports": (user) => ({ json: [{ id: user === USERS.alice ? 91 : 92 }] }),
        "GET /users/{userId}/reports/{reportId}/lines": reportOf,
      }),
      document: apiDocument({
        "/me": { get: {} },
        "/users/{userId}/reports": { get: {} },
        "/users/{userId}/reports/{reportId}/lines": { get: {} },
      }),
      identities: ALICE_AND_BOB,
      finding: { location: { method: "GET", path: "/users/{userId}/reports/{reportId}/lines" } },
    },
  ],
  negative: [
    {
      name: "items that are refused as their order is",
      target: usersApi({ ...routes, "GET /orders/{orderId}/items": guardedItems }),
      ...common,
    },
  ],
  inconclusive: [
    {
      name: "items of orders that every user lists",
      target: usersApi({
        ...routes,
        "GET /orders": () => ({ json: ORDERS }),
        "GET /orders/{orderId}/items": items,
      }),
      ...common,
    },
    {
      name: "items that are the same for every order",
      target: usersApi({ ...routes, "GET /orders/{orderId}/items": () => ({ json: ITEMS }) }),
      ...common,
    },
  ],
});
