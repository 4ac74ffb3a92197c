import { hashApiKey, newApiKey, type Store } from "@glovebox/store";
import { type Plan } from "@glovebox/contract";

/** DATABASE_URL of a measured process. */
export function databaseUrl(): string {
  const url = process.env["DATABASE_URL"];
  if (!url) throw new Error("DATABASE_URL is required");
  return url;
}

/** Prints the URL of a measured process as a line, which means that it is ready. */
export const reportReady = (url: string): void => void process.stdout.write(`${url}\n`);

/** An account for a load, with a rate limit that is never reached. */
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

/** The variable with the accounts, as JSON, in the environment of a measured process. */
export const ACCOUNTS_VARIABLE = "BENCH_ACCOUNTS";
export const loadAccounts = (): LoadAccount[] =>
  JSON.parse(process.env[ACCOUNTS_VARIABLE] ?? "[]") as LoadAccount[];
