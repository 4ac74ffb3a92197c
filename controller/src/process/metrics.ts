import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Values that are read when metrics are collected. */
export interface MetricSources {
  /** Milliseconds since the last list, event or bookmark, by resource. */
  readonly lastEventAgesMs: () => Readonly<Record<string, number>>;
  /** For each queued scan, since when, in milliseconds since 1970. */
  readonly queuedSince: () => readonly number[];
  /** Kinds of policies that cannot be read now. */
  readonly unreadPolicies: () => readonly string[];
  readonly isLeader: () => boolean;
  /** Number of reachable canaries. */
  readonly canaries: () => number;
  readonly now: () => Date;
}

export interface ControllerMetrics {
  readonly registry: Registry;
  /** Seconds that scans spent in a phase. */
  readonly phaseSeconds: Histogram<"phase">;
  /** Seconds until a scan pod observed that its policy is enforced. */
  readonly policyDelay: Histogram;
  readonly resultsLost: Counter;
  readonly reportsMalformed: Counter;
  readonly scansFinished: Counter<"outcome">;
  /** Actions by kind; divided by the finished scans, the calls per scan. */
  readonly calls: Counter<"action">;
  readonly reconcileFailures: Counter<"error">;
  readonly watchFailures: Counter<"resource">;
  /** Runs of ScanSchedules. One that could not start in time is missed, and with Forbid skipped while a Scan runs. */
  readonly scheduleRuns: Counter<"outcome">;
}

export const SCHEDULE_RUN_OUTCOMES = ["started", "skipped", "missed"] as const;

const NAME = "glovebox_controller";

/** The controller's metrics, in a separate registry. */
export function createControllerMetrics(sources: MetricSources): ControllerMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers });
  collectDefaultMetrics({ register: registry });
  collectedGauges(sources, registry);
  return {
    registry,
    scheduleRuns: scheduleRunCounter(registry),
    resultsLost: counter("glovebox_results_lost_total", "Incomplete reports of complete Jobs; must stay 0"),
    reportsMalformed: counter(
      "glovebox_reports_malformed_total",
      "Malformed reports: the scanner was probably compromised; must stay 0",
    ),
    scansFinished: counter(
      `${NAME}_scans_finished_total`,
      "Scans that ended, by outcome: completed or the failure code",
      "outcome",
    ),
    calls: counter(
      `${NAME}_actions_total`,
      "Actions performed; each is a call to the Kubernetes API or to PostgreSQL",
      "action",
    ),
    reconcileFailures: counter(
      `${NAME}_reconcile_failures_total`,
      "Reconciliations that failed and are retried",
      "error",
    ),
    watchFailures: counter(
      `${NAME}_watch_failures_total`,
      "Lists and watches that failed and are retried",
      "resource",
    ),
    phaseSeconds: new Histogram({
      name: `${NAME}_scan_phase_seconds`,
      help: "Time that scans spent in a phase",
      labelNames: ["phase"],
      buckets: [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 3600],
      registers,
    }),
    policyDelay: new Histogram({
      name: `${NAME}_policy_delay_seconds`,
      help: "Time from the start of a scanner until it observed that its network policy is enforced",
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60],
      registers,
    }),
  };
}

function scheduleRunCounter(registry: Registry): ControllerMetrics["scheduleRuns"] {
  const runs = new Counter({
    name: `${NAME}_schedule_runs_total`,
    help: "Runs of ScanSchedules that were decided",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of SCHEDULE_RUN_OUTCOMES) runs.inc({ outcome }, 0); // so that the first increment shows in rates
  return runs;
}

function collectedGauges(sources: MetricSources, registry: Registry): void {
  const gauge = (name: string, help: string, collect: (this: Gauge<"resource">) => void): void =>
    registry.registerMetric(
      new Gauge({ name: `${NAME}_${name}`, help, labelNames: ["resource"], registers: [], collect }),
    );
  gauge(
    "watch_last_event_age_seconds",
    "Time since the last list, event or bookmark of a watch",
    function () {
      // Drops resources that are no longer watched.
      this.reset();
      for (const [resource, ms] of Object.entries(sources.lastEventAgesMs()))
        this.set({ resource }, ms / 1000);
    },
  );
  gauge(
    "policies_unread",
    "1 for each kind of policy that cannot be read; while there is one, no scan starts and no report is read",
    function () {
      this.reset();
      for (const resource of sources.unreadPolicies()) this.set({ resource }, 1);
    },
  );
  gauge("queue_depth", "Scans that are queued for a slot", function () {
    this.set(sources.queuedSince().length);
  });
  gauge("queue_age_seconds", "Time that the oldest queued scan has waited", function () {
    const now = sources.now().getTime();
    this.set(Math.max(0, ...sources.queuedSince().map((since) => (now - since) / 1000)));
  });
  gauge("canaries", "Canaries that are reachable; without one no scan is started", function () {
    this.set(sources.canaries());
  });
  gauge("leader", "1 while this process is the leader", function () {
    this.set(Number(sources.isLeader()));
  });
}
