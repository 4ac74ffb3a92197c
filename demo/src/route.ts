import type { IncomingHttpHeaders } from "node:http";
import type { Account } from "./accounts.ts";
import type { Clinic } from "./clinic.ts";

export type Variant = "vulnerable" | "hardened";

/** A request. `params` are decoded; the hardened variant sets `account`. */
export interface Call {
  method: string;
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  address: string;
  account?: Account;
}

export interface RouteResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

export type Handle = (call: Call, clinic: Clinic) => RouteResponse | Promise<RouteResponse>;

/** JSON Schema with an additional type: `id` is an integer in the vulnerable variant and a UUID in the hardened one. */
export type Schema = { [keyword: string]: unknown };

export interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  schema: Schema;
  required?: boolean;
  example?: unknown;
}

/** The operation in the OpenAPI document. The hardened variant enforces it. */
export interface Operation {
  summary: string;
  tag: string;
  parameters?: Parameter[];
  body?: Schema;
  /** The body is URL-encoded instead, and its handler validates it. */
  form?: Schema;
  responds?: Schema;
  deprecated?: boolean;
  /** True if the OpenAPI document has a 429 response. */
  limited?: boolean;
}

/** A weakness of a route in the vulnerable variant. `category` is a category key of the scanner's reports. */
export interface Weakness {
  category: string;
  what: string;
}

/**
 * A route of both variants. `access` is documented, and enforced by the hardened variant. Without an `operation`, the route is not in
 * the OpenAPI document. Without a handler, it does not exist in that variant.
 */
export interface Route<H = Handle> {
  method: string;
  path: string;
  access: "public" | "user" | "admin";
  operation?: Operation;
  weaknesses: Weakness[];
  vulnerable?: H;
  hardened?: H;
}

export const weak = (category: string, what: string): Weakness => ({ category, what });

export const ID: Schema = { type: "id" };
export const idIn = (name: string): Parameter => ({ name, in: "path", required: true, schema: ID });
