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
import type { Incoming } from "../../testing/fake-api.ts";
import check from "./user-object-by-parameter.ts";

const ORDERS = [
  { id: 501, customerId: USERS.alice.id, item: "Lamp" },
  { id: 502, customerId: USERS.bob.id, item: "Cup" },
];
const list: UserRoute = ({ id }) => ({ json: ORDERS.filter(({ customerId }) => customerId === id) });
const order =
  (idOf: (incoming: Incoming) => unknown, isGuarded = false) =>
  (user: TestUser, incoming: Incoming) => {
    const known = ORDERS.find(({ id }) => String(id) === String(idOf(incoming)));
    return known && (!isGuarded || known.customerId === user.id) ? { json: known } : NOT_FOUND;
  };
const documentWith = (path: string, item: object) =>
  apiDocument({ "/me": { get: {} }, "/orders": { get: {} }, [path]: item });
const parameter = (location: string, name: string) => ({
  get: { parameters: [{ name, in: location, required: true, schema: { type: "integer" } }] },
});
const inQuery = documentWith("/receipt", parameter("query", "orderId"));
const byQuery = ({ query }: Incoming) => query.get("orderId");
const inBody = {
  post: {
    summary: "Search for a receipt",
    requestBody: {
      content: {
        "application/json": { schema: { type: "object", properties: { orderId: { type: "integer" } } } },
      },
    },
  },
};

testCheck(check, {
  positive: [
    {
      name: "an object by an id in the query",
      target: usersApi({ "GET /orders": list, "GET /receipt": order(byQuery) }),
      document: inQuery,
      identities: ALICE_AND_BOB,
      finding: {
        location: { method: "GET", path: "/receipt", parameter: "orderId" },
        observed: "Object 501 of alice was returned to bob. It names its owner in customerId.",
      },
    },
    {
      name: "an object by an id in a header",
      target: usersApi({
        "GET /orders": list,
        "GET /receipt": order(({ headers }) => headers["x-order-id"]),
      }),
      document: documentWith("/receipt", parameter("header", "X-Order-Id")),
      identities: ALICE_AND_BOB,
      finding: { location: { method: "GET", path: "/receipt", parameter: "X-Order-Id" } },
    },
    {
      name: "an object by an id in the body of a read",
      target: usersApi({
        "GET /orders": list,
        "POST /receipts/search": order(({ body }) => (JSON.parse(body) as { orderId?: number }).orderId),
      }),
      document: documentWith("/receipts/search", inBody),
      identities: ALICE_AND_BOB,
      finding: { location: { method: "POST", path: "/receipts/search", parameter: "orderId" } },
    },
  ],
  negative: [
    {
      name: "objects that are not found for other users",
      target: usersApi({ "GET /orders": list, "GET /receipt": order(byQuery, true) }),
      document: inQuery,
      identities: ALICE_AND_BOB,
    },
  ],
  inconclusive: [
    {
      name: "objects that both users list",
      target: usersApi({ "GET /orders": () => ({ json: ORDERS }), "GET /receipt": order(byQuery) }),
      document: inQuery,
      identities: ALICE_AND_BOB,
    },
    {
      name: "one identity",
      target: usersApi({ "GET /orders": list, "GET /receipt": order(byQuery) }),
      document: inQuery,
      identities: [identityOf("bob")],
    },
  ],
});
