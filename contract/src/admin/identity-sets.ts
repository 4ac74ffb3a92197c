import type { Identity } from "../scan/identities.ts";

/** Saved sets of an account. */
export const MAX_IDENTITY_SETS = 50;

/** An identity without its secrets: names only. */
export interface IdentitySummary {
  readonly name: string;
  readonly role: Identity["role"];
  readonly headers: readonly string[];
  readonly cookies: readonly string[];
  readonly query: readonly string[];
  /** Whether it signs in. */
  readonly login: boolean;
}

export const identitySummary = (identity: Identity): IdentitySummary => ({
  name: identity.name,
  role: identity.role,
  headers: Object.keys(identity.headers ?? {}),
  cookies: Object.keys(identity.cookies ?? {}),
  query: Object.keys(identity.query ?? {}),
  login: identity.login !== undefined,
});
