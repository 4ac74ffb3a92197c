import { PLAN_NAMES, SCOPES, type Plan, type Scope } from "@glovebox/contract";
import * as z from "zod";
import { choice, parseOption } from "../command-line.ts";

/** Options of `glovebox keys create` as the command line gives them. */
export interface RawKeyOptions {
  readonly account: string;
  readonly plan: string;
  readonly name: string;
  readonly scopes?: string;
  readonly expires?: string;
}

export interface KeyOptions {
  readonly account: string;
  readonly plan: Plan;
  readonly name: string;
  /** Undefined: every scope. */
  readonly scopes: readonly Scope[] | undefined;
  readonly expiresAt: Date | undefined;
}

const MAX_NAME_LENGTH = 100;
const MOMENT = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** @throws UserError that names the option and the reason. */
export function parseKeyOptions(raw: RawKeyOptions, now: Date): KeyOptions {
  return {
    plan: parseOption("--plan", raw.plan, choice(PLAN_NAMES)),
    account: parseOption("--account", raw.account, parseName),
    name: parseOption("--name", raw.name, parseName),
    scopes: parseOption("--scopes", raw.scopes, parseScopes),
    expiresAt: parseOption("--expires", raw.expires, (text) => parseFutureDate(text, now)),
  };
}

function parseName(text: string): string {
  if (text.trim() === "" || text.length > MAX_NAME_LENGTH)
    throw new Error(`must have 1 to ${MAX_NAME_LENGTH} characters`);
  return text;
}

const parseScopes = (text: string): Scope[] =>
  text.split(",").map((entry) => {
    const scope = SCOPES.find((name) => name === entry.trim());
    if (scope === undefined) throw new Error(`must be a list of ${SCOPES.join(", ")}`);
    return scope;
  });

function parseFutureDate(text: string, now: Date): Date {
  // Date alone takes 31 February for 3 March.
  if (!MOMENT.safeParse(text).success) throw new Error("must be a date such as 2027-01-31");
  const date = new Date(text);
  if (date <= now) throw new Error("must be in the future");
  return date;
}
