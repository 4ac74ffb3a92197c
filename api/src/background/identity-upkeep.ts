import type { Store } from "@glovebox/store";
import type { Logger } from "pino";
import { PeriodicTask } from "./periodic-task.ts";

const FIRST_MS = 1_000;
const EVERY_MS = 10 * 60_000;

/**
 * Encrypts identities with the first key of the file: at the start, and again later, because a process that has started before a
 * rotation encrypts with the earlier key until it ends.
 */
export const createIdentityUpkeep = ({
  store,
  logger,
}: {
  readonly store: Pick<Store, "reencryptIdentities">;
  readonly logger: Pick<Logger, "info" | "warn">;
}): PeriodicTask =>
  new PeriodicTask({
    async task() {
      const { reencrypted, unreadable } = await store.reencryptIdentities();
      if (reencrypted > 0) logger.info({ reencrypted }, "identities re-encrypted with the first key");
      if (unreadable > 0) logger.warn({ unreadable }, "identities were encrypted with a key that is missing");
    },
    onFailure: (error) =>
      logger.warn({ error: (error as Error).name }, "identities could not be re-encrypted, retrying"),
    ...{ firstMs: FIRST_MS, everyMs: EVERY_MS, jitter: 0.1 },
  });
