import {
  COMMAND_LINE,
  KeyRefused,
  addKey,
  declareAccount,
  hashApiKey,
  newApiKey,
  revokeKey as revokeStoredKey,
  type KeyRow,
  type Store,
} from "@glovebox/store";
import * as z from "zod";
import { withStore as withStoreOf } from "../database.ts";
import type { ServiceDatabase } from "../service-database.ts";
import { UserError } from "../command-line.ts";
import type { KeyOptions } from "./options.ts";

/**
 * A new key, of which the database keeps the hash alone.
 * @throws UserError when the database cannot be reached or used.
 */
export const createKey = (options: KeyOptions, database: ServiceDatabase): Promise<string> =>
  withStore(database, async (store) => {
    const { account, plan, name, scopes, expiresAt } = options;
    const key = newApiKey();
    const { owner, requestsPerMinute, activeMode } = (await store.accounts.find(account)) ?? {};
    const terms = {
      ...{ plan, activeMode, owner: owner ?? undefined },
      requestsPerMinute: requestsPerMinute ?? undefined,
    };
    const change = store.changing(COMMAND_LINE);
    const { id } = await declareAccount(change, { name: account, ...terms });
    await addKey(change, { accountId: id, name, sha256: hashApiKey(key), scopes, expiresAt });
    return key;
  });

/**
 * The keys of an account, the oldest first.
 * @throws UserError when there is no such account, or the database cannot be reached or used.
 */
export const listKeys = (account: string, database: ServiceDatabase): Promise<KeyRow[]> =>
  withStore(database, async ({ accounts, keys }) => {
    const found = await accounts.find(account);
    if (!found) throw new UserError("--account: not found");
    return keys.list(found.id);
  });

/**
 * Revokes a key permanently; revoking it again changes nothing. Running services refuse it from then on.
 * @throws UserError when there is no such key, or the database cannot be reached or used.
 */
export async function revokeKey(id: string, database: ServiceDatabase): Promise<void> {
  if (!z.guid().safeParse(id).success)
    throw new UserError("KEY_ID: must be the id of a key, as `glovebox keys list` shows it");
  const revoked = await withStore(database, ({ changing }) => revokeStoredKey(changing(COMMAND_LINE), id));
  if (!revoked) throw new UserError("KEY_ID: not found");
}

/** @throws UserError also when the key cannot be stored */
async function withStore<T>(database: ServiceDatabase, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await withStoreOf(database, use);
  } catch (error) {
    throw error instanceof KeyRefused ? new UserError(`The key ${error.message}.`, { cause: error }) : error;
  }
}
