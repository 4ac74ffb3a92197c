import { hashApiKey, newApiKey } from "@glovebox/contract";
import { withStore, type KeyDatabase } from "./key-database.ts";
import type { KeyOptions } from "./options.ts";

/**
 * A new key, of which the database keeps the hash alone.
 * @throws UserError when the database cannot be reached or used.
 */
export const createKey = (options: KeyOptions, database: KeyDatabase): Promise<string> =>
  withStore(database, async (store) => {
    const { account, plan, name, scopes, expiresAt } = options;
    const key = newApiKey();
    const { owner, requestsPerMinute } = (await store.accounts.find(account)) ?? {};
    const terms = { plan, owner: owner ?? undefined, requestsPerMinute: requestsPerMinute ?? undefined };
    const { id } = await store.accounts.declare({ name: account, ...terms });
    await store.keys.add({ accountId: id, name, sha256: hashApiKey(key), scopes, expiresAt });
    return key;
  });
