import type { ShopCall } from "./route.ts";
import type { User } from "./users.ts";

/** A stored object. `owner` is the id of a user, `tenant` that of the owner's company. */
export interface Row {
  id: string | number;
  owner: string;
  tenant: string;
  [field: string]: unknown;
}

/** Whether a user may read or write a row. */
export type Rule = (user: User, row: Row) => boolean;

export const isOwn: Rule = (user, { owner }) => owner === user.id || user.role === "admin";
export const isOfTenant: Rule = (user, { tenant }) => tenant === user.tenant || user.role === "admin";
/** The owner, and those in `sharedWith`. */
export const isShared: Rule = (user, row) =>
  isOwn(user, row) || (row["sharedWith"] as string[]).includes(user.id);
/** Those in `members`. */
export const isMember: Rule = (user, row) =>
  user.role === "admin" || (row["members"] as string[]).includes(user.id);
export const isAnybody: Rule = () => true;

export const findById = <R extends Row>(rows: readonly R[], id: unknown): R | undefined =>
  rows.find((row) => String(row.id) === String(id));

/** The row with an id, if the rule lets the caller see it. */
export function findFor(
  call: ShopCall,
  { rows, id, rule }: { rows: readonly Row[]; id: unknown; rule: Rule },
): Row | undefined {
  const row = findById(rows, id);
  return row && rule(call.user, row) ? row : undefined;
}

export const visibleTo = (call: ShopCall, rows: readonly Row[], rule: Rule = isOwn): Row[] =>
  rows.filter((row) => rule(call.user, row));

/** The named members of a value, where it has them. */
export function only(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]),
  );
}
