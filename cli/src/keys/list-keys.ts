import type { KeyRow } from "@glovebox/store";
import { UserError } from "../user-error.ts";
import { withStore, type KeyDatabase } from "./key-database.ts";

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
