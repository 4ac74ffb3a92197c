import { PLAN_NAMES, SCOPES, type Plan, type Scope } from "@glovebox/contract";
import * as z from "zod";
import { UserError } from "../user-error.ts";

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

const LONGEST_NAME = 100;
const MOMENT = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** @throws UserError that names the option and the reason. */
export function parseKeyOptions(raw: RawKeyOptions, now: Date): KeyOptions {
  const plan = PLAN_NAMES.find((name) => name === raw.plan);
  if (plan === undefined) throw new UserError(`--plan: must be one of ${PLAN_NAMES.join(", ")}`);
  return {
    account: nameOf("--account", raw.account),
    plan,
    name: nameOf("--name", raw.name),
    scopes: raw.scopes?.split(",").map(scopeOf),
    expiresAt: raw.expires === undefined ? undefined : futureDate(raw.expires, now),
  };
}

function nameOf(option: string, value: string): string {
  if (value.trim() === "" || value.length > LONGEST_NAME)
    throw new UserError(`${option}: must have 1 to ${LONGEST_NAME} characters`);
  return value;
}

function scopeOf(text: string): Scope {
  const scope = SCOPES.find((name) => name === text.trim());
  if (scope === undefined) throw new UserError(`--scopes: must be a list of ${SCOPES.join(", ")}`);
  return scope;
}

function futureDate(text: string, now: Date): Date {
  // Date alone takes 31 February for 3 March.
  if (!MOMENT.safeParse(text).success) throw new UserError("--expires: must be a date such as 2027-01-31");
  const date = new Date(text);
  if (date <= now) throw new UserError("--expires: must be in the future");
  return date;
}
