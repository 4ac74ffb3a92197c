import { hashApiKey, newApiKey, type Plan } from "@glovebox/contract";
import type { Store } from "@glovebox/store";

/** What the measured processes have in common: told by their environment, they say on stdout that they are ready. */
export function databaseUrl(): string {
  const url = process.env["DATABASE_URL"];
  if (!url) throw new Error("DATABASE_URL is required");
  return url;
}

/** One line: where it listens. From then on the process serves until it is killed. */
export const announce = (line: string): void => void process.stdout.write(`${line}\n`);

/** An account of the load, whose rate limit is counted but never reached. */
export interface LoadAccount {
  readonly id: string;
  readonly key: string;
}

const REQUESTS_PER_MINUTE = 2_000_000_000;

export async function declareLoadAccount(
  store: Store,
  name: string,
  plan: Plan = "enterprise",
): Promise<LoadAccount> {
  const account = await store.accounts.declare({ name, plan, requestsPerMinute: REQUESTS_PER_MINUTE });
  const key = newApiKey();
  await store.keys.add({ accountId: account.id, name: "load", sha256: hashApiKey(key) });
  return { id: account.id, key };
}

/** The accounts as a child process is told of them, in its environment. */
export const ACCOUNTS_VARIABLE = "BENCH_ACCOUNTS";
export const accountsGiven = (): LoadAccount[] =>
  JSON.parse(process.env[ACCOUNTS_VARIABLE] ?? "[]") as LoadAccount[];
