import { Counter, type Metric } from "prom-client";

/** What a sweep did with a scan that was left behind. */
export type SweepOutcome = "launched" | "failed" | "cancelled";
const OUTCOMES: readonly SweepOutcome[] = ["launched", "failed", "cancelled"];

export interface SweepMetrics {
  /** For the registry of the API. */
  readonly all: readonly Metric[];
  readonly swept: (outcome: SweepOutcome, scans: number) => void;
  readonly brokenOff: () => void;
}

/** Counts what sweeps do. Of several replicas each counts its own. */
export function createSweepMetrics(): SweepMetrics {
  const scans = new Counter({
    name: "glovebox_sweep_scans_total",
    help: "Scans that a sweep launched, failed, or cancelled because their Scan resource was deleted",
    labelNames: ["outcome"],
    registers: [],
  });
  for (const outcome of OUTCOMES) scans.inc({ outcome }, 0); // rates need the first one, too
  const failures = new Counter({
    name: "glovebox_sweep_failures_total",
    help: "Sweeps that failed",
    registers: [],
  });
  return {
    all: [scans, failures],
    swept: (outcome, count) => scans.inc({ outcome }, count),
    brokenOff: () => failures.inc(),
  };
}
