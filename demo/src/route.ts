import type { IncomingHttpHeaders } from "node:http";
import type { Account } from "./accounts.ts";
import type { Clinic } from "./clinic.ts";

export type Variant = "vulnerable" | "hardened";

/** One request as the handlers see it. `path` and `params` are decoded; `account` is set by the hardened twin. */
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

export interface Reply {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

export type Handle = (call: Call, clinic: Clinic) => Reply | Promise<Reply>;

/** JSON Schema, with one type of our own: `id` is an integer in the vulnerable API and a UUID in its twin. */
export type Schema = { [keyword: string]: unknown };

export interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  schema: Schema;
  required?: boolean;
  example?: unknown;
}

/** What the OpenAPI document says of a route. The hardened twin enforces it; the vulnerable API only says it. */
export interface Operation {
  summary: string;
  tag: string;
  parameters?: Parameter[];
  body?: Schema;
  responds?: Schema;
  deprecated?: boolean;
  /** True where the document names 429, as an answer to be reckoned with. */
  limited?: boolean;
}

/** One thing wrong with a route's vulnerable side. `category` is a category key of the scanner's reports. */
export interface Weakness {
  category: string;
  what: string;
}

/**
 * A route of both variants. `access` is what the document promises and the hardened twin enforces.
 * Without an `operation` the route is not in the document; without a handler it is not in that variant.
 */
export interface Route {
  method: string;
  path: string;
  access: "public" | "user" | "admin";
  operation?: Operation;
  weaknesses: Weakness[];
  vulnerable?: Handle;
  hardened?: Handle;
}

export const weak = (category: string, what: string): Weakness => ({ category, what });

export const ID: Schema = { type: "id" };
export const idIn = (name: string): Parameter => ({ name, in: "path", required: true, schema: ID });
