/** Features that a plan may lack: a request for one gets 403 (docs/decisions.md, "Plans, limits, keys"). */
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

/** All keys of an account together may make this many times the requests per minute of one. */
export const ACCOUNT_REQUESTS_FACTOR = 5;
/** Keys of one account that are neither revoked nor expired. */
export const MAX_ACTIVE_KEYS = 50;

export type Plan = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]];

export const planIncludes = (plan: Plan, feature: Feature): boolean =>
  (PLANS[plan].features as readonly Feature[]).includes(feature);

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

/** What a member of an account may be, the most powerful first. What each may do: docs/sign-in.md. */
export const ROLES = ["owner", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** The more powerful of two roles. */
export const higherRole = (one: Role, other: Role): Role =>
  ROLES.indexOf(one) <= ROLES.indexOf(other) ? one : other;
