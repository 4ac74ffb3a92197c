import { PLANS } from "@glovebox/contract";
import type { Account } from "./accounts.ts";

/** Scans that an account may start in a calendar month (UTC); null: any number. The database counts them (charge_scan). */
export type Quota = (account: Pick<Account, "id" | "plan">) => number | null;

export const quotaOfPlan: Quota = ({ plan }) => PLANS[plan].scansPerMonth;

/** Seconds until the quota is renewed: the next calendar month (UTC). At least 1. */
export function secondsToRenewal(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.max(1, Math.ceil((next - now.getTime()) / 1000));
}
