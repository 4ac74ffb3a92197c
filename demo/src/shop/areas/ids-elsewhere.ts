import { notFound, objectIn, ok } from "../../response.ts";
import type { RouteResponse } from "../../route.ts";
import { guardedRow } from "../guarded-row.ts";
import { type Rule, findFor, isAnybody, isOwn, only } from "../rows.ts";
import { NUMBER, type ShopCall, type ShopRoute, UUID, objectOf, weakness } from "../route.ts";
import type { Shop } from "../shop.ts";

/** Ids outside the path: in the query, the body and a header. */
export const idsElsewhere: ShopRoute[] = [
  {
    method: "GET",
    path: "/v2/receipts",
    access: "user",
    operation: {
      summary: "Read the receipt of an order",
      tag: "Orders",
      parameters: [{ name: "orderId", in: "query", required: true, schema: NUMBER }],
    },
    weaknesses: [
      weakness("bolaAuthorization", "object-read", "`orderId` in the query selects the receipt of any order"),
    ],
    ...guardedRow(
      ({ query }) => ({ table: "orders", id: query.get("orderId") }),
      (order) => ok({ receipt: `R-${order.id}`, ...only(order, ["item", "deliverTo", "quantity"]) }),
    ),
  },
  {
    method: "POST",
    path: "/v2/deliveries/track",
    access: "user",
    operation: { summary: "Track a delivery", tag: "Orders", body: objectOf({ orderId: NUMBER }) },
    weaknesses: [
      weakness("bolaAuthorization", "object-read", "`orderId` in the body selects the delivery of any order"),
    ],
    ...guardedRow(
      (call) => ({ table: "orders", id: objectIn(call)["orderId"] }),
      (order) => ok(only(order, ["id", "status", "deliverTo"])),
    ),
  },
  {
    method: "GET",
    path: "/v2/basket",
    access: "user",
    operation: {
      summary: "Read the basket",
      tag: "Orders",
      parameters: [{ name: "X-Basket-Id", in: "header", schema: UUID }],
    },
    weaknesses: [
      weakness("bolaAuthorization", "object-read", "The `X-Basket-Id` header selects the basket of any user"),
    ],
    vulnerable: (call, shop) => basket(call, shop, isAnybody),
    hardened: (call, shop) => basket(call, shop, isOwn),
  },
];

function basket(call: ShopCall, { tables }: Shop, rule: Rule): RouteResponse {
  const named = call.headers["x-basket-id"];
  const own = tables.baskets.find(({ owner }) => owner === call.user.id);
  const id = named ?? own?.id;
  const row = findFor(call, { rows: tables.baskets, id, rule });
  if (row) return ok(row);
  return named === undefined ? ok({ items: [] }) : notFound();
}
