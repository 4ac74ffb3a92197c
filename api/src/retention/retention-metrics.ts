import type { RetentionKind } from "@glovebox/store";
import { Counter, Gauge, type Metric } from "prom-client";

export interface RetentionMetrics {
  /** For the registry of the API. */
  readonly all: readonly Metric[];
  readonly deleted: (kind: RetentionKind, rows: number) => void;
  readonly completed: () => void;
  readonly failed: () => void;
}

/** Counts what runs of retention delete. Of several replicas each counts its own. */
export function createRetentionMetrics(kinds: readonly RetentionKind[]): RetentionMetrics {
  const rows = new Counter({
    name: "glovebox_retention_deleted_total",
    help: "Expired rows that this process deleted",
    labelNames: ["kind"],
    registers: [],
  });
  for (const kind of kinds) rows.inc({ kind }, 0); // rates need the first one, too
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
    all: [rows, lastRun, failures],
    deleted: (kind, count) => rows.inc({ kind }, count),
    completed: () => lastRun.setToCurrentTime(),
    failed: () => failures.inc(),
  };
}
