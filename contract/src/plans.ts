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

export type Plan = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]];
