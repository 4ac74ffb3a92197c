import { setTimeout as pause } from "node:timers/promises";
import type { RetentionKind, RetentionPolicy, Store } from "@glovebox/store";
import type { Logger } from "pino";
import { Counter, Gauge, type Metric } from "prom-client";
import { PeriodicTask } from "./periodic-task.ts";

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
  const metrics = createRetentionMetrics();
  const stopping = new AbortController();
  const { signal } = stopping;

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
  const task = new PeriodicTask({
    task: () => store.withLock("retention", deleteEveryKind),
    onFailure(error) {
      if (signal.aborted) return;
      metrics.failed();
      logger.warn({ error: (error as Error).name }, "Retention failed; the next run retries");
    },
    ...{ firstMs: FIRST_MS, everyMs: EVERY_MS, jitter: 0.1 },
  });
  return {
    metrics: metrics.all,
    start: () => task.start(),
    run: () => task.run(),
    stop() {
      stopping.abort();
      return task.stop();
    },
  };
}

/** Counts what runs of retention delete. Of several replicas each counts its own. */
function createRetentionMetrics() {
  const rows = new Counter({
    name: "glovebox_retention_deleted_total",
    help: "Expired rows that this process deleted",
    labelNames: ["kind"],
    registers: [],
  });
  for (const kind of KINDS) rows.inc({ kind }, 0); // rates need the first one, too
  const lastRun = new Gauge({
    name: "glovebox_retention_last_run_timestamp_seconds",
    help: "When this process last finished a run of retention; 0 before the first",
    registers: [],
  });
  const failures = new Counter({
    name: "glovebox_retention_failures_total",
    help: "Runs of retention that failed",
    registers: [],
  });
  return {
    all: [rows, lastRun, failures] satisfies Metric[],
    deleted: (kind: RetentionKind, count: number) => rows.inc({ kind }, count),
    completed: () => lastRun.setToCurrentTime(),
    failed: () => failures.inc(),
  };
}
