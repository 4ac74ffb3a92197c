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
    readonly auditRetentionDays: number;
  };
  /** Pause between batches, to limit the load of the database. In milliseconds. */
  readonly pauseMs?: number;
}

export interface Retention {
  /** For the registry of the API. */
  readonly metrics: readonly Metric[];
  /** Runs after some minutes, and from then on every hour. */
  start(): void;
  /**
   * Deletes all expired rows, unless another process is doing so. Never rejects: after a failure, the next run deletes the
   * rest.
   */
  run(): Promise<void>;
  /** Waits for the current batch. */
  stop(): Promise<void>;
}

const KINDS: readonly RetentionKind[] = [
  "scans",
  "idempotencyKeys",
  "usage",
  "targets",
  "sessions",
  "invitations",
  "challenges",
  "webhookDeliveries",
  "auditEntries",
];
const DELIVERY_DAYS = 30;
const BATCH = 500;
const PAUSE_MS = 100;
const FIRST_MS = 5 * 60_000;
const EVERY_MS = 3_600_000;

/** Deletes expired rows in small batches (docs/adr/0015). */
export function createRetention({ store, logger, settings, pauseMs = PAUSE_MS }: RetentionDeps): Retention {
  const policy = {
    scanDays: settings.retentionDays,
    usageDays: settings.usageRetentionDays,
    deliveryDays: DELIVERY_DAYS,
    auditDays: settings.auditRetentionDays,
  };
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
    if (total > 0) logger.info({ kind, rows: total }, "expired rows deleted");
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
      logger.warn({ error: (error as Error).name }, "retention failed, the next run retries");
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

/** Metrics of retention in this process. */
function createRetentionMetrics() {
  const rows = new Counter({
    name: "glovebox_retention_deleted_total",
    help: "Expired rows that this process deleted",
    labelNames: ["kind"],
    registers: [],
  });
  for (const kind of KINDS) rows.inc({ kind }, 0); // so that the first increment shows in rates
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
