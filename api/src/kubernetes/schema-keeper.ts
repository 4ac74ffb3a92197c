import type { Store } from "@glovebox/store";
import type { Logger } from "pino";

export interface SchemaKeeperDeps {
  readonly store: Pick<Store, "schemaState">;
  /** Migrates the database and declares what belongs into it. */
  readonly prepare: () => Promise<void>;
  readonly logger: Pick<Logger, "warn">;
  readonly everyMs: number;
}

export interface SchemaKeeper {
  start(): void;
  /** Looks once; never rejects. */
  check(): Promise<void>;
  /** Waits for the look under way. */
  stop(): Promise<void>;
}

/**
 * Prepares a database again that came back empty. For evaluations, whose database forgets everything with its pod; any
 * other that is empty is the wrong one, or lost, which is for somebody to see (docs/adr/0014).
 */
export function createSchemaKeeper({ store, prepare, logger, everyMs }: SchemaKeeperDeps): SchemaKeeper {
  let isPrepared = true;
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    if ((await store.schemaState()) === "missing") isPrepared = false;
    if (isPrepared) return;
    logger.warn("The database is empty: creating the schema");
    await prepare();
    isPrepared = true;
  };
  const check = (): Promise<void> =>
    (underWay ??= look()
      .catch((error: unknown) =>
        logger.warn({ error: (error as Error).name }, "The schema could not be created; retrying"),
      )
      .finally(() => (underWay = undefined)));
  return {
    start() {
      timer = setInterval(() => void check(), everyMs);
    },
    check,
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
