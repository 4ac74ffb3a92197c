import { setTimeout as sleep } from "node:timers/promises";
import { hashSecret, SchemaMissing, StoreUnavailable, migrate, openStore, type Store } from "@glovebox/store";
import type { Logger } from "pino";
import { applyAccountsFile } from "../accounts-file.ts";
import { PeriodicTask } from "../background/periodic-task.ts";
import type { KubernetesSettings } from "../settings/kubernetes-settings.ts";
import { unreadyReason } from "../system/probes.ts";

const CHECK_SCHEMA_MS = 2_000;
/** The token stays in its Secret; without a user there is nothing that it could give away. */
const LINK_DAYS = 3_650;

/** Opens the store of a migrated database. With `GLOVEBOX_MIGRATE=auto` it migrates the database, now and whenever it is empty. */
export async function preparedStore(
  { settings, logger }: { settings: KubernetesSettings; logger: Logger },
  cleanup: AsyncDisposableStack,
  now: () => Date,
): Promise<Store> {
  const store = await openStore({
    url: settings.databaseUrl,
    maxConnections: settings.maxDatabaseConnections,
    identityKeys: settings.identityKeys,
  });
  cleanup.defer(() => store.close());
  const prepare = async (): Promise<void> => {
    if (settings.migrate === "auto") await migrate(settings.databaseUrl);
    await assertMigrated(store);
    if (settings.accountsFile) await applyAccountsFile(settings.accountsFile, store);
    const token = settings.firstAdministratorToken;
    if (token) await store.invitations.offerFirstAdministrator(hashSecret(token), { days: LINK_DAYS });
  };
  await whenAvailable(prepare, { now });
  if (settings.migrate === "auto") {
    const schemaTask = createSchemaTask({ store, prepare, logger, everyMs: CHECK_SCHEMA_MS });
    cleanup.defer(() => schemaTask.stop());
    schemaTask.start();
  }
  return store;
}

/** @throws SchemaMissing while the database has none of this version */
async function assertMigrated(store: Store): Promise<void> {
  const reason = unreadyReason(await store.schemaState());
  if (reason !== undefined) throw new SchemaMissing(new Error(reason));
}

export interface SchemaTaskDeps {
  readonly store: Pick<Store, "schemaState">;
  /** Migrates the database and applies the accounts file. */
  readonly prepare: () => Promise<void>;
  readonly logger: Pick<Logger, "warn">;
  readonly everyMs: number;
}

/**
 * Migrates the database again when it is empty. For evaluations, whose database loses its data with its pod. Any other empty
 * database is a configuration error or a loss of data, which an operator must see (docs/adr/0014).
 * @internal
 */
export function createSchemaTask({ store, prepare, logger, everyMs }: SchemaTaskDeps): PeriodicTask {
  let isPrepared = true;

  const checkSchema = async (): Promise<void> => {
    if ((await store.schemaState()) === "missing") isPrepared = false;
    if (isPrepared) return;
    logger.warn("database is empty, creating the schema");
    await prepare();
    isPrepared = true;
  };
  return new PeriodicTask({
    task: checkSchema,
    onFailure: (error) =>
      logger.warn({ error: (error as Error).name }, "schema could not be created, retrying"),
    ...{ firstMs: everyMs, everyMs },
  });
}

export interface AvailabilityOptions {
  readonly now: () => Date;
  /** How long to wait for the database. Default 60. */
  readonly seconds?: number;
  /** Pause between two attempts, in milliseconds. Default 1000. */
  readonly pauseMs?: number;
}

/** Runs the task when the database is available: in a cluster, all components start at the same time. */
export async function whenAvailable(task: () => Promise<void>, options: AvailabilityOptions): Promise<void> {
  const { now, seconds = 60, pauseMs = 1_000 } = options;
  const deadline = now().getTime() + seconds * 1000;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || now().getTime() >= deadline) throw error;
    }
    await sleep(pauseMs);
  }
}
