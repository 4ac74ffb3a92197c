import { loggable, type WorkQueueObserver } from "@glovebox/kube";
import type { Replica } from "../replica.ts";

/** Counts and logs failures of the work on a subject. */
export const queueObserver =
  ({ metrics, logger }: Replica) =>
  (subject: "scan" | "orphan" | "schedule" | "discovery", what: string): WorkQueueObserver => ({
    failed(key, { error, failures, retryInMs }) {
      metrics.reconcileFailures.inc({ error: error instanceof Error ? error.name : "unknown" });
      logger.warn(
        { [subject]: key, error: loggable(error), failures, retryInMs },
        `${what} failed, retrying`,
      );
    },
  });

/** Counts and logs failures of watches. */
export const watchFailed =
  ({ metrics, logger }: Replica) =>
  (resource: string, error: unknown): void => {
    metrics.watchFailures.inc({ resource });
    logger.warn({ resource, error: loggable(error) }, "watch failed, restarting");
  };
