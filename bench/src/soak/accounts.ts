import { newApiKey } from "@glovebox/store";
import type { Plan } from "@glovebox/contract";

export interface SoakAccount {
  readonly name: string;
  readonly plan: Plan;
  readonly key: string;
  /** Whether scans of it are exported, scheduled and sent to a webhook. */
  readonly hasFeatures: boolean;
}

/** Most may start as many scans as they like; the last ones run into the quota of their plan. */
const PLANS: readonly (readonly [Plan, number])[] = [
  ["enterprise", 14],
  ["pro", 4],
  ["starter", 1],
  ["free", 1],
];

/** Twenty accounts with a key each. */
export const newAccounts = (): SoakAccount[] =>
  PLANS.flatMap(([plan, count]) =>
    Array.from({ length: count }, (_, n) => ({
      ...{ name: `${plan}-${n + 1}`, plan, key: newApiKey() },
      hasFeatures: plan === "enterprise" || plan === "pro",
    })),
  );

/** For GLOVEBOX_ACCOUNTS_FILE; JSON is YAML. */
export const accountsFileOf = (accounts: readonly SoakAccount[]): string =>
  JSON.stringify({
    accounts: accounts.map(({ name, plan, key }) => ({ name, plan, keys: [{ name: "soak", key }] })),
  });
