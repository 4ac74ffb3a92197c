import { migrate, openStore, type Store } from "@glovebox/store";
import { databaseError } from "../database-error.ts";
import { startPostgres } from "./postgres/start.ts";

export interface DatabaseOptions {
  /** Undefined: an embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Takes one line for each crash of the embedded PostgreSQL. */
  readonly warn: (line: string) => void;
}

export interface OpenDatabase {
  readonly store: Store;
  readonly url: string;
}

/** A migrated database; what it started is stopped when `cleanup` is disposed of. */
export async function openDatabase(
  options: DatabaseOptions,
  cleanup: AsyncDisposableStack,
): Promise<OpenDatabase> {
  const url = options.databaseUrl ?? (await startEmbedded(options, cleanup));
  try {
    await migrate(url);
  } catch (error) {
    throw options.databaseUrl === undefined ? error : databaseError("DATABASE_URL", error);
  }
  const store = await openStore({ url });
  cleanup.defer(() => store.close());
  return { store, url };
}

async function startEmbedded(
  { dataDir, log, warn }: DatabaseOptions,
  cleanup: AsyncDisposableStack,
): Promise<string> {
  const postgres = await startPostgres({ dataDir, log, warn });
  cleanup.defer(() => postgres.stop());
  return postgres.url;
}
