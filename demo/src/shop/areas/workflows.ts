import { setTimeout as wait } from "node:timers/promises";
import { failure, notFound, ok } from "../../response.ts";
import type { RouteResponse } from "../../route.ts";
import { collection, idIn } from "../collection.ts";
import { type Row, findFor, isOwn } from "../rows.ts";
import { NUMBER, type ShopCall, type ShopHandle, type ShopRoute, TEXT, both, weakness } from "../route.ts";
import type { Tables } from "../seed.ts";

/** What using up a voucher or a gift card adds to the credit of its owner. */
const CREDIT = 5;
/** Between the check of a gift card and its use, as a slow database has it. */
const DATABASE_MS = 25;

const conflict = (message: string): RouteResponse => failure(409, "conflict", message);

/** An action with a row of the caller. */
const withOwn =
  (
    { table, parameter }: { table: keyof Tables; parameter: string },
    act: (row: Row, call: ShopCall) => RouteResponse | Promise<RouteResponse>,
  ): ShopHandle =>
  (call, { tables }) => {
    const row = findFor(call, { rows: tables[table], id: call.params[parameter], rule: isOwn });
    return row ? act(row, call) : notFound();
  };

const order = { table: "orders", parameter: "orderId" } as const;
const voucher = { table: "vouchers", parameter: "voucherId" } as const;
const giftCard = { table: "giftCards", parameter: "giftCardId" } as const;

const proceed =
  (from: string | undefined, to: string) =>
  (row: Row): RouteResponse => {
    if (from !== undefined && row["status"] !== from)
      return conflict(`The order is ${String(row["status"])}`);
    row["status"] = to;
    return ok({ id: row.id, status: to });
  };

function use(row: Row, { user }: ShopCall): RouteResponse {
  row["status"] = "used";
  user.credit += CREDIT;
  return ok({ id: row.id, status: "used" });
}

/** Both have been used before: a repeated request may be one whose response was lost. */
const usedAlready = ({ id }: Row): RouteResponse => ok({ id, status: "used" });

/** What may be done once, or only in this order. */
export const workflows: ShopRoute[] = [
  {
    method: "POST",
    path: "/v2/orders/{orderId}/pay",
    access: "user",
    operation: { summary: "Pay an order", tag: "Orders", parameters: [idIn("orderId", NUMBER)] },
    weaknesses: [],
    ...both(withOwn(order, proceed("open", "paid"))),
  },
  {
    method: "POST",
    path: "/v2/orders/{orderId}/ship",
    access: "user",
    operation: { summary: "Ship an order", tag: "Orders", parameters: [idIn("orderId", NUMBER)] },
    weaknesses: [weakness("bflaAuthorization", "skipped-step", "An order can be shipped before it is paid")],
    vulnerable: withOwn(order, proceed(undefined, "shipped")),
    hardened: withOwn(order, proceed("paid", "shipped")),
  },
  ...collection({
    table: "reservations",
    path: "/v2/reservations",
    parameter: "reservationId",
    noun: "reservation",
    tag: "Reservations",
    fields: {
      item: TEXT,
      pieces: { type: "integer", example: 2 },
      floor: { type: "integer", example: 1 },
    },
    problem: ({ pieces }) => (Number(pieces) < 1 ? "pieces: must be at least 1" : undefined),
    weaknesses: {
      create: weakness(
        "inputValidation",
        "negative-quantity",
        "A reservation of minus three pieces is stored",
      ),
    },
    traps: { create: ["`floor` may be negative: it is a basement"] },
  }),
  ...collection({
    table: "vouchers",
    path: "/v2/vouchers",
    parameter: "voucherId",
    noun: "voucher",
    tag: "Vouchers",
    fields: { title: TEXT },
    returned: { status: TEXT },
    initial: () => ({ status: "unused" }),
  }),
  {
    method: "POST",
    path: "/v2/vouchers/{voucherId}/redeem",
    access: "user",
    operation: { summary: "Redeem a voucher", tag: "Vouchers", parameters: [idIn("voucherId")] },
    weaknesses: [
      weakness("rateLimiting", "single-use", "A voucher is credited each time that it is redeemed"),
    ],
    vulnerable: withOwn(voucher, use),
    hardened: withOwn(voucher, (row, call) =>
      row["status"] === "used" ? conflict("The voucher was redeemed") : use(row, call),
    ),
  },
  ...collection({
    table: "giftCards",
    path: "/v2/gift-cards",
    parameter: "giftCardId",
    noun: "gift card",
    tag: "Gift cards",
    fields: { title: TEXT },
    returned: { status: TEXT },
    initial: () => ({ status: "unused" }),
  }),
  {
    method: "POST",
    path: "/v2/gift-cards/{giftCardId}/claim",
    access: "user",
    operation: { summary: "Claim a gift card", tag: "Gift cards", parameters: [idIn("giftCardId")] },
    weaknesses: [
      weakness("rateLimiting", "race", "A gift card is credited to each of several claims at the same time"),
    ],
    traps: ["A second claim of a gift card gets the response to the first, and is not credited"],
    vulnerable: withOwn(giftCard, async (row, call) => {
      if (row["status"] === "used") return usedAlready(row);
      await wait(DATABASE_MS);
      return use(row, call);
    }),
    hardened: withOwn(giftCard, (row, call) =>
      row["status"] === "used" ? usedAlready(row) : use(row, call),
    ),
  },
];
