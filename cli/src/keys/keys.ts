import { hashApiKey, newApiKey } from "@glovebox/contract";
import { KeyRefused, StoreUnavailable, databaseErrorCode, type KeyRow, type Store } from "@glovebox/store";
import * as z from "zod";
import { databaseError, openMigrated } from "../database.ts";
import { UserError } from "../command-line.ts";
import type { KeyOptions } from "./options.ts";

/** A database that holds keys. */
export interface KeyDatabase {
  readonly url: string;
  /** The variable that led to it, for messages. */
  readonly setting: string;
}

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

/**
 * The keys of an account, the oldest first.
 * @throws UserError when there is no such account, or the database cannot be reached or used.
 */
export const listKeys = (account: string, database: KeyDatabase): Promise<KeyRow[]> =>
  withStore(database, async ({ accounts, keys }) => {
    const found = await accounts.find(account);
    if (!found) throw new UserError("--account: there is no account of this name");
    return keys.list(found.id);
  });

/**
 * Revokes a key for good; revoking it again changes nothing. Running services refuse it from then on.
 * @throws UserError when there is no such key, or the database cannot be reached or used.
 */
export async function revokeKey(id: string, database: KeyDatabase): Promise<void> {
  if (!z.guid().safeParse(id).success)
    throw new UserError("KEY_ID: must be the id of a key, as `glovebox keys list` shows it");
  const revoked = await withStore(database, ({ keys }) => keys.revoke(id));
  if (!revoked) throw new UserError("KEY_ID: there is no such key");
}

/**
 * Opens the database, for as long as `use` takes.
 * @throws UserError when it cannot be reached or used.
 */
async function withStore<T>({ url, setting }: KeyDatabase, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openMigrated(url, setting);
  try {
    return await use(store);
  } catch (error) {
    if (error instanceof StoreUnavailable || databaseErrorCode(error) !== undefined)
      throw databaseError(setting, error);
    throw error instanceof KeyRefused ? new UserError(`The key ${error.message}.`, { cause: error }) : error;
  } finally {
    await store.close();
  }
}
