import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { hashSecret } from "./tokens.ts";

/** Features that a plan may lack: a request for one is answered 403 (docs/decisions.md, "Plans, limits, keys"). */
export const FEATURES = ["webhooks", "schedules", "reportExports", "authenticatedScanning"] as const;
export type Feature = (typeof FEATURES)[number];

export interface PlanLimits {
  /** Requests per minute and key. */
  readonly requestsPerMinute: number;
  /** Scans per calendar month (UTC) and account; null: unlimited. */
  readonly scansPerMonth: number | null;
  readonly features: readonly Feature[];
}

/** Limits of the plans (docs/specification.md, "Limits"; docs/decisions.md, "Plans, limits, keys"). */
export const PLANS = {
  free: { requestsPerMinute: 10, scansPerMonth: 3, features: [] },
  starter: { requestsPerMinute: 30, scansPerMonth: 15, features: ["reportExports"] },
  pro: { requestsPerMinute: 60, scansPerMonth: 100, features: FEATURES },
  enterprise: { requestsPerMinute: 600, scansPerMonth: null, features: FEATURES },
} as const satisfies Record<string, PlanLimits>;

/** All keys of an account together may make so many times the requests per minute of one. */
export const ACCOUNT_REQUESTS_FACTOR = 5;
/** Keys of one account that are neither revoked nor expired. */
export const MAX_ACTIVE_KEYS = 50;

export type Plan = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]];

export const planIncludes = (plan: Plan, feature: Feature): boolean =>
  (PLANS[plan].features as readonly Feature[]).includes(feature);

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 43; // 43 × log2(62) = 256 bits
const SHAPE = /^gbx_[0-9A-Za-z]{43}[0-9a-f]{8}$/;

/** What a key may do. A key without scopes may do everything. */
export const SCOPES = [
  "scans:read",
  "scans:write",
  "webhooks:read",
  "webhooks:write",
  "schedules:read",
  "schedules:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/** A new API key, with a checksum (docs/decisions.md, "Plans, limits, keys"). */
export function newApiKey(): string {
  let body = "gbx_";
  for (let index = 0; index < SECRET_LENGTH; index++) body += ALPHABET[randomInt(ALPHABET.length)];
  return body + checksum(body);
}

/** True when the text has the shape and the checksum of a key: a mistyped key is refused without a database query. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && text.slice(-8) === checksum(text.slice(0, -8));
}

/** The only form in which a key is stored: the SHA-256 of the whole key, in hex. */
export const hashApiKey = (key: string): string => hashSecret(key);

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, "0");

/** What a member of an account may be, the most powerful first. What each may do: docs/sign-in.md. */
export const ROLES = ["owner", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** The more powerful of two roles. */
export const higherRole = (one: Role, other: Role): Role =>
  ROLES.indexOf(one) <= ROLES.indexOf(other) ? one : other;
