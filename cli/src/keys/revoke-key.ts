import * as z from "zod";
import { UserError } from "../user-error.ts";
import { withStore, type KeyDatabase } from "./key-database.ts";

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
