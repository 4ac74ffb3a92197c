import { hashApiKey, newApiKey } from "@glovebox/contract";
import type { Store } from "@glovebox/store";

/** An Enterprise account of the load, whose rate limit is counted but never reached. */
export interface LoadAccount {
  readonly id: string;
  readonly key: string;
  /** What stands in for the plan's scans a month: no plan allows as many as a load submits. Null: unlimited. */
  readonly scansPerMonth: number | null;
}

const REQUESTS_PER_MINUTE = 2_000_000_000;

export async function declareLoadAccount(
  store: Store,
  { name, scansPerMonth }: { name: string; scansPerMonth: number | null },
): Promise<LoadAccount> {
  const account = await store.accounts.declare({
    name,
    plan: "enterprise",
    requestsPerMinute: REQUESTS_PER_MINUTE,
  });
  const key = newApiKey();
  await store.keys.add({ accountId: account.id, name: "load", sha256: hashApiKey(key) });
  return { id: account.id, key, scansPerMonth };
}

/** The accounts as a child process is told of them, in its environment. */
export const ACCOUNTS_VARIABLE = "BENCH_ACCOUNTS";
export const accountsGiven = (): LoadAccount[] =>
  JSON.parse(process.env[ACCOUNTS_VARIABLE] ?? "[]") as LoadAccount[];
