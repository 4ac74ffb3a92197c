import {
  StoreUnavailable,
  StoreUnusable,
  databaseErrorCode,
  migrate,
  openStore,
  type Store,
} from "@glovebox/store";
import type { IdentityKeys } from "@glovebox/store/identity-keys";
import { UserError } from "./command-line.ts";
import type { ServiceDatabase } from "./service-database.ts";

/**
 * Migrates the database that a setting names, and opens its store.
 * @throws UserError when the database cannot be reached or migrated
 */
export async function openMigrated(
  url: string,
  setting: string,
  identityKeys?: IdentityKeys,
): Promise<Store> {
  try {
    await migrate(url);
  } catch (error) {
    throw databaseError(setting, error);
  }
  return openStore({ url, identityKeys });
}

/**
 * Opens the database, for as long as `use` takes.
 * @throws UserError when it cannot be reached or used.
 */
export async function withStore<T>(
  { url, setting }: Pick<ServiceDatabase, "url" | "setting">,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openMigrated(url, setting);
  try {
    return await use(store);
  } catch (error) {
    if (error instanceof StoreUnavailable || databaseErrorCode(error) !== undefined)
      throw databaseError(setting, error);
    throw error;
  } finally {
    await store.close();
  }
}

/** Why a database could not be used, as a line that begins with the setting that names it. */
const databaseError = (setting: string, cause: unknown): UserError =>
  // The cause is not repeated: a driver's message may name the user, the database and values.
  new UserError(`${setting}: the database ${reasonOf(cause)}.`, { cause });

function reasonOf(cause: unknown): string {
  if (cause instanceof StoreUnusable) return "does not exist, or refuses this user";
  if (cause instanceof StoreUnavailable) return "cannot be reached";
  const code = databaseErrorCode(cause);
  if (code === "55P03") return "is being migrated by another process; try again later";
  if (code === "42501") return "does not grant this user the required permissions";
  if (code?.startsWith("23")) return `rejected the data (${code})`;
  return code === undefined
    ? "cannot be used: its schema could not be migrated"
    : `cannot be used: its schema could not be migrated (${code})`;
}
