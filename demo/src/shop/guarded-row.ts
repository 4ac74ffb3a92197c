import { notFound } from "../response.ts";
import type { RouteResponse } from "../route.ts";
import { type Row, type Rule, findFor, isAnybody, isOwn } from "./rows.ts";
import type { ShopCall, ShopHandle, ShopRoute } from "./route.ts";
import type { Tables } from "./seed.ts";

/** Shows a row by an id from anywhere in the request: to anybody in the vulnerable variant, to its owner in the hardened one. */
export const guardedRow = (
  find: (call: ShopCall) => { table: keyof Tables; id: unknown },
  show: (row: Row) => RouteResponse,
): Pick<ShopRoute, "vulnerable" | "hardened"> => {
  const handle =
    (rule: Rule): ShopHandle =>
    (call, { tables }) => {
      const { table, id } = find(call);
      const row = findFor(call, { rows: tables[table], id, rule });
      return row ? show(row) : notFound();
    };
  return { vulnerable: handle(isAnybody), hardened: handle(isOwn) };
};
