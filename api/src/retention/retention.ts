import { setTimeout as pause } from "node:timers/promises";
import type { RetentionKind, RetentionPolicy, Store } from "@glovebox/store";
import type { Logger } from "pino";
import type { Metric } from "prom-client";
import { createRetentionMetrics } from "./retention-metrics.ts";

export interface RetentionDeps {
  readonly store: Pick<Store, "retention" | "withLock">;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly settings: {
    readonly retentionDays: RetentionPolicy["scanDays"];
    readonly usageRetentionDays: number;
  };
  /** Between batches, so that the database has time for others. */
  readonly pauseMs?: number;
}

export interface Retention {
  /** For the registry of the API. */
  readonly metrics: readonly Metric[];
  /** Runs after some minutes, and from then on every hour. */
  start(): void;
  /**
   * Deletes all that is older than it is kept, unless another process is doing so. Never rejects: what is left after a
   * failure, the next run deletes.
   */
  run(): Promise<void>;
  /** Waits for the batch under way. */
  stop(): Promise<void>;
}

const KINDS: readonly RetentionKind[] = ["scans", "idempotencyKeys", "usage"];
const BATCH = 500;
const PAUSE_MS = 100;
const FIRST_MS = 5 * 60_000;
const EVERY_MS = 3_600_000;

/** Deletes what is kept no longer, in small batches (docs/adr/0015). */
export function createRetention({ store, logger, settings, pauseMs = PAUSE_MS }: RetentionDeps): Retention {
  const policy = { scanDays: settings.retentionDays, usageDays: settings.usageRetentionDays };
  const metrics = createRetentionMetrics(KINDS);
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;

  const deleteAll = async (kind: RetentionKind): Promise<void> => {
    let total = 0;
    for (;;) {
      signal.throwIfAborted();
      const deleted = await store.retention.deleteBatch(kind, policy, BATCH);
      if (deleted === 0) break;
      metrics.deleted(kind, deleted);
      total += deleted;
      await pause(pauseMs, undefined, { signal });
    }
    if (total > 0) logger.info({ kind, rows: total }, "Expired rows were deleted");
  };
  const deleteEveryKind = async (): Promise<void> => {
    for (const kind of KINDS) await deleteAll(kind);
    metrics.completed();
  };
  const run = (): Promise<void> =>
    (underWay ??= store
      .withLock("retention", deleteEveryKind)
      .then(() => {})
      .catch((error: unknown) => {
        if (signal.aborted) return;
        metrics.failed();
        logger.warn({ error: (error as Error).name }, "Retention failed; the next run retries");
      })
      .finally(() => (underWay = undefined)));
  /** Replicas that started together do not run together. */
  const schedule = (ms: number): void => {
    if (signal.aborted) return;
    timer = setTimeout(() => void run().then(() => schedule(EVERY_MS)), ms * (0.9 + Math.random() * 0.2));
    timer.unref();
  };
  return {
    metrics: metrics.all,
    start: () => schedule(FIRST_MS),
    run,
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await underWay;
    },
  };
}
