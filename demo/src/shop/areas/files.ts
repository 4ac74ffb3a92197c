import { failure, invalid, text } from "../../response.ts";
import type { RouteResponse } from "../../route.ts";
import { collection, idIn } from "../collection.ts";
import { guardedRow } from "../guarded-row.ts";
import { findById } from "../rows.ts";
import { type ShopCall, type ShopRoute, TEXT, UUID, weakness } from "../route.ts";
import type { Shop } from "../shop.ts";

/** Files and exports of other users. */
export const files: ShopRoute[] = [
  ...collection({
    table: "documents",
    path: "/v2/documents",
    parameter: "documentId",
    noun: "document",
    tag: "Documents",
    fields: { title: TEXT, text: TEXT },
  }),
  {
    method: "GET",
    path: "/v2/documents/{documentId}/file",
    access: "user",
    operation: { summary: "Download a document", tag: "Documents", parameters: [idIn("documentId")] },
    weaknesses: [
      weakness("bolaAuthorization", "export", "A document is limited to its owner, the file in it is not"),
    ],
    ...guardedRow(
      ({ params }) => ({ table: "documents", id: params["documentId"] }),
      (row) => text(200, "text/plain; charset=utf-8", String(row["text"])),
    ),
  },
  {
    method: "GET",
    path: "/v2/exports/orders",
    access: "user",
    operation: {
      summary: "Export orders as CSV",
      tag: "Orders",
      parameters: [{ name: "userId", in: "query", schema: UUID }],
    },
    weaknesses: [weakness("bolaAuthorization", "export", "`userId` exports the orders of any user")],
    vulnerable: (call, shop) => exported(call, shop),
    hardened: (call, shop) =>
      [null, call.user.id].includes(call.query.get("userId")) || call.user.role === "admin"
        ? exported(call, shop)
        : failure(403, "forbidden", "Users export their own orders"),
  },
];

function exported({ user, query }: ShopCall, { users, tables }: Shop): RouteResponse {
  const customer = findById(users, query.get("userId") ?? user.id);
  if (!customer) return invalid("userId: not found");
  const lines = tables.orders
    .filter(({ owner }) => owner === customer.id)
    .map((order) =>
      [order.id, order["item"], order["quantity"], `"${String(order["deliverTo"])}"`].join(","),
    );
  return text(200, "text/csv; charset=utf-8", ["number,item,quantity,deliver to", ...lines, ""].join("\n"));
}
