import { hashApiKey, newApiKey } from "@glovebox/contract";
import { StoreUnavailable, migrate, openStore } from "@glovebox/store";
import { UserError } from "../user-error.ts";
import type { KeyOptions } from "./options.ts";

/**
 * A new key, of which the database at this URL keeps the hash alone.
 * @throws UserError when the database cannot be reached.
 */
export async function createKey(options: KeyOptions, databaseUrl: string): Promise<string> {
  try {
    return await addKey(options, databaseUrl);
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause;
    throw new UserError("The database cannot be reached; is the service running?", { cause });
  }
}

async function addKey({ account, plan, name, scopes, expiresAt }: KeyOptions, url: string): Promise<string> {
  await migrate(url);
  const store = await openStore({ url });
  try {
    const key = newApiKey();
    const { owner, requestsPerMinute } = (await store.accounts.find(account)) ?? {};
    const terms = { plan, owner: owner ?? undefined, requestsPerMinute: requestsPerMinute ?? undefined };
    const { id } = await store.accounts.declare({ name: account, ...terms });
    await store.keys.add({ accountId: id, name, sha256: hashApiKey(key), scopes, expiresAt });
    return key;
  } finally {
    await store.close();
  }
}
