import { RUN_OUTCOMES } from "@glovebox/contract/schedules";
import { destination, pino, type Level, type Logger } from "pino";
import { Counter, Gauge, Histogram, Registry, type Metric, collectDefaultMetrics } from "prom-client";
import { LogOutput } from "./log-output.ts";

const stderr = new LogOutput(destination({ dest: 2, sync: true }));
process.once("exit", () => stderr.flushSync());

/** The service's log: one JSON object a line on stderr. Callers log no secret, body or query string. */
export const createLogger = (level: Level | "silent"): Logger => pino({ level, base: null }, stderr);

/** The fields of an unexpected error that may be logged: messages can contain data. */
export function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error };
  const frame = /\n\s+at .*?([\w.-]+\.[cm]?[jt]s:\d+:\d+)/.exec(error.stack ?? "")?.[1];
  const cause = error.cause instanceof Error ? describeFault(error.cause) : undefined;
  return { error: error.name, code: (error as { code?: unknown }).code, at: frame, cause };
}

export interface ApiMetrics {
  readonly registry: Registry;
  readonly rateLimiterFallback: Gauge;
  readonly scansSubmitted: Counter;
  readonly scansEnded: Counter;
  readonly scheduleRuns: Counter<"outcome">;
  readonly observeRequest: (request: RequestLabels, seconds: number) => void;
}

export interface RequestLabels {
  readonly method: string;
  /** The path template. */
  readonly route: string;
  readonly status: number;
}

/** The process's metrics and the given ones, in a separate registry. `waiters` is read when they are collected. */
export function createApiMetrics(waiters: () => number, others: readonly Metric[] = []): ApiMetrics {
  const registry = new Registry();
  for (const metric of others) registry.registerMetric(metric);
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  registry.registerMetric(
    new Gauge({
      name: "glovebox_waiters",
      help: "Requests and event streams that wait for a scan",
      registers: [],
      collect() {
        this.set(waiters());
      },
    }),
  );
  return {
    registry,
    rateLimiterFallback: new Gauge({
      name: "glovebox_rate_limiter_fallback",
      help: "1 while rate limits are counted in memory because Redis is unreachable",
      registers,
    }),
    scansSubmitted: new Counter({
      name: "glovebox_scans_submitted_total",
      help: "Scans that this process accepted",
      registers,
    }),
    scansEnded: new Counter({
      name: "glovebox_scans_ended_total",
      help: "Scans that ended; every replica counts every scan",
      registers,
    }),
    scheduleRuns: scheduleRunCounter(registry),
    observeRequest: requestObserver(registry),
  };
}

function scheduleRunCounter(registry: Registry): ApiMetrics["scheduleRuns"] {
  const runs = new Counter({
    name: "glovebox_schedule_runs_total",
    help: "Runs of schedules that this process decided",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of RUN_OUTCOMES) runs.inc({ outcome }, 0); // so that the first increment shows in rates
  return runs;
}

function requestObserver(registry: Registry): ApiMetrics["observeRequest"] {
  const histogram = new Histogram({
    name: "glovebox_http_request_duration_seconds",
    help: "Time from the request to its response, by path template",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
    registers: [registry],
  });
  // The labels come from the route table, so the cache is small; it saves hashing them at every request.
  const children = new Map<string, ReturnType<typeof histogram.labels>>();
  return ({ method, route, status }, seconds) => {
    const key = `${method} ${route} ${status}`;
    let child = children.get(key);
    if (!child) children.set(key, (child = histogram.labels(method, route, String(status))));
    child.observe(seconds);
  };
}
