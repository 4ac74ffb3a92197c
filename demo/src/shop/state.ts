import type { Shop } from "./shop.ts";

/** All that the shop has stored except sessions: `orders 5001` → the row, as JSON. */
export type ShopState = ReadonlyMap<string, string>;

/** A copy of the data, taken without a request. */
export function stateOf({ users, tables }: Shop): ShopState {
  const rows = Object.entries({ users, ...tables });
  return new Map(
    rows.flatMap(([table, all]) => all.map((row) => [`${table} ${row.id}`, JSON.stringify(row)] as const)),
  );
}

/** The names of rows, as in a state. */
export interface StateChanges {
  changed: string[];
  deleted: string[];
  created: string[];
}

export function changesBetween(before: ShopState, after: ShopState): StateChanges {
  const kept = [...before].filter(([name]) => after.has(name));
  return {
    changed: kept.filter(([name, row]) => after.get(name) !== row).map(([name]) => name),
    deleted: [...before.keys()].filter((name) => !after.has(name)),
    created: [...after.keys()].filter((name) => !before.has(name)),
  };
}
