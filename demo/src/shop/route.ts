import type { Call, RouteResponse, Route, Schema, Weakness } from "../route.ts";
import type { Shop } from "./shop.ts";
import type { User } from "./users.ts";

/** What a test of a weakness compares: two callers, one caller before and after an event, or a request with and without an attack. */
export type Kind =
  | "object-read"
  | "object-change"
  | "object-delete"
  | "child-object"
  | "list-filter"
  | "export"
  | "tenant"
  | "function"
  | "hidden-function"
  | "field"
  | "mass-assignment"
  | "token-after-sign-out"
  | "token-after-password-change"
  | "token-after-expiry"
  | "refresh-token-reuse"
  | "sql-injection"
  | "server-side-request"
  | "stack-trace"
  | "reflected-markup"
  | "stored-markup"
  | "negative-quantity"
  | "single-use"
  | "race"
  | "code-guessing"
  | "skipped-step";

/** A weakness that only a signed-in caller can reach. */
export interface ShopWeakness extends Weakness {
  kind: Kind;
}

/** A request with its caller: `GUEST` on public routes without credentials. */
export interface ShopCall extends Call {
  user: User;
  /** The credential that was sent: an access token, or the cookie of a desk session. */
  credential: string;
}

export type ShopHandle = (call: ShopCall, shop: Shop) => RouteResponse | Promise<RouteResponse>;

/**
 * A route of the shop, in both variants unless it has one handler. `traps` say what resembles a weakness here and is not one, in both
 * variants.
 */
export interface ShopRoute extends Route<ShopHandle> {
  weaknesses: ShopWeakness[];
  traps?: string[];
}

export const weakness = (category: string, kind: Kind, what: string): ShopWeakness => ({
  category,
  kind,
  what,
});

/** The handlers of a route that has no weakness, or only one of access control by role. */
export const both = (handle: ShopHandle): Required<Pick<ShopRoute, "vulnerable" | "hardened">> => ({
  vulnerable: handle,
  hardened: handle,
});

export const UUID: Schema = {
  type: "string",
  format: "uuid",
  pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
};
/** Orders, invoices and parcels are numbered. */
export const NUMBER: Schema = { type: "integer", minimum: 1, maximum: 999_999 };
export const TEXT: Schema = { type: "string", maxLength: 500 };
export const listOf = (name: string, items: Schema): Schema => ({
  type: "object",
  properties: { [name]: { type: "array", items } },
});
export const objectOf = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: "object",
  required,
  properties,
});
