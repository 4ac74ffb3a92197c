import { migrate, openStore, type Store } from "@glovebox/store";
import type { IdentityKeys } from "@glovebox/store/identity-keys";
import { openMigrated } from "../database.ts";
import { ensureIdentityKeys } from "./identity-keys.ts";
import { startPostgres } from "./postgres/start.ts";

export interface OpenDatabaseOptions {
  /** Undefined: an embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Undefined: those of a file in the data directory. */
  readonly identityKeys: IdentityKeys | undefined;
  readonly log: (line: string) => void;
  /** Takes one line for each crash of the embedded PostgreSQL. */
  readonly warn: (line: string) => void;
}

/** Opens and migrates the database. `cleanup` closes it, and stops the embedded PostgreSQL. */
export async function openDatabase(
  options: OpenDatabaseOptions,
  cleanup: AsyncDisposableStack,
): Promise<{ readonly store: Store; readonly url: string }> {
  const { databaseUrl, identityKeys = ensureIdentityKeys(options.dataDir), ...embedded } = options;
  if (databaseUrl !== undefined) {
    const store = await openMigrated(databaseUrl, "DATABASE_URL", identityKeys);
    cleanup.defer(() => store.close());
    return { store, url: databaseUrl };
  }
  const { url, stop } = await startPostgres(embedded);
  cleanup.defer(stop);
  await migrate(url);
  const store = await openStore({ url, identityKeys });
  cleanup.defer(() => store.close());
  return { store, url };
}
