import { StoreUnavailable, StoreUnusable } from "@glovebox/store";
import { UserError } from "./user-error.ts";

/** What came of opening a database, as a line that begins with the setting which names that database. */
export function databaseError(setting: string, cause: unknown): UserError {
  // The cause is not repeated: a driver's message may name the user and the database.
  const reason =
    cause instanceof StoreUnavailable && !(cause instanceof StoreUnusable)
      ? "cannot be reached"
      : "cannot be used: it refuses this user, or its schema cannot be brought up to date";
  return new UserError(`${setting}: the database ${reason}.`, { cause });
}
