import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "@glovebox/store";
import type { Logger } from "pino";
import { PeriodicTask } from "./periodic-task.ts";

export interface FindingsUpkeepDeps {
  readonly store: Pick<Store, "withLock"> & {
    readonly findings: Pick<Store["findings"], "expire">;
    readonly reportIndex: Store["reportIndex"];
  };
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Pause between reports, to limit the load of the database. In milliseconds. */
  readonly pauseMs?: number;
}

const BATCH = 100;
const PAUSE_MS = 10;
const FIRST_MS = 15_000;
const EVERY_MS = 60_000;

/**
 * Opens findings whose acceptance has expired, and indexes reports whose findings are missing: the reports of releases without
 * findings over time, also while such a release still runs beside this one.
 */
export function createFindingsUpkeep({
  store,
  logger,
  pauseMs = PAUSE_MS,
}: FindingsUpkeepDeps): Pick<PeriodicTask, "start" | "run" | "stop"> {
  const stopping = new AbortController();
  const { signal } = stopping;

  const indexReports = async (): Promise<void> => {
    for (;;) {
      const waiting = await store.reportIndex.waiting(BATCH);
      if (waiting.length === 0) return;
      for (const id of waiting) {
        signal.throwIfAborted();
        if (!(await store.reportIndex.index(id))) logger.warn({ scan: id }, "report could not be indexed");
        await pause(pauseMs, undefined, { signal });
      }
      logger.info({ reports: waiting.length }, "reports indexed");
    }
  };
  const task = new PeriodicTask({
    task: () =>
      store.withLock("findings", async () => {
        const expired = await store.findings.expire();
        if (expired > 0) logger.info({ findings: expired }, "acceptances expired");
        await indexReports();
      }),
    onFailure(error) {
      if (signal.aborted) return;
      logger.warn({ error: (error as Error).name }, "findings upkeep failed, the next run retries");
    },
    ...{ firstMs: FIRST_MS, everyMs: EVERY_MS, jitter: 0.1 },
  });
  return {
    start: () => task.start(),
    run: () => task.run(),
    stop() {
      stopping.abort();
      return task.stop();
    },
  };
}
