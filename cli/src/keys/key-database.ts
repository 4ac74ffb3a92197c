import { KeyRefused, StoreUnavailable, codeOf, migrate, openStore, type Store } from "@glovebox/store";
import { UserError } from "../user-error.ts";
import { databaseError } from "../database-error.ts";

/** A database that holds keys. */
export interface KeyDatabase {
  readonly url: string;
  /** The variable that led to it, for messages. */
  readonly setting: string;
}

/**
 * Opens the database, for as long as `use` takes.
 * @throws UserError when it cannot be reached or used.
 */
export async function withStore<T>(
  { url, setting }: KeyDatabase,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  await migrate(url).catch((error: unknown) => {
    throw databaseError(setting, error);
  });
  const store = await openStore({ url });
  try {
    return await use(store);
  } catch (error) {
    if (error instanceof StoreUnavailable || codeOf(error) !== undefined) throw databaseError(setting, error);
    throw error instanceof KeyRefused ? new UserError(`The key ${error.message}.`, { cause: error }) : error;
  } finally {
    await store.close();
  }
}
