import { accountStore } from "./accounts.ts";
import { Announcer } from "./announcer.ts";
import { type Clock, Database, type DatabaseOptions } from "./database.ts";
import { Listener } from "./events.ts";
import { exclusively } from "./exclusively.ts";
import { keyStore } from "./keys.ts";
import { launchStore } from "./launches.ts";
import { retentionStore } from "./retention.ts";
import { schemaState } from "./schema-version.ts";
import { scanStore } from "./scans.ts";
import type { Store } from "./store.ts";
import { workStore } from "./work.ts";

export type StoreOptions = DatabaseOptions;

/** The store in a migrated database. Connects when first used, so it opens while the database is away. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return assembleStore(options);
}

/** The store, with the clock of a test in place of the server's where one is given. */
export function assembleStore(options: StoreOptions, now?: Clock): Store {
  const database = new Database(options, now);
  const asked = new Database({ ...options, maxConnections: 1 });
  const announcer = new Announcer(database);
  const events = new Listener(options);
  return {
    accounts: accountStore(database),
    keys: keyStore(database),
    scans: scanStore(database, announcer),
    work: workStore(database, announcer),
    launches: launchStore(database),
    events,
    retention: retentionStore(database),
    exclusively: (name, task) => exclusively(options, name, task),
    schemaState: () => schemaState(asked),
    async close() {
      await announcer.settled();
      await Promise.all([events.close(), asked.close(), database.close()]);
    },
  };
}
