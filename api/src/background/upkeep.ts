import type { Store } from "@glovebox/store";
import type { Logger } from "pino";
import type { Metric } from "prom-client";
import { createFindingsUpkeep } from "./findings-upkeep.ts";
import { createIdentityUpkeep } from "./identity-upkeep.ts";
import { createRetention, type RetentionDeps } from "./retention.ts";

export interface Upkeep {
  readonly metrics: readonly Metric[];
  start(): void;
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

/** What every service does with its database from time to time, beside its requests. */
export function createUpkeep(deps: {
  readonly store: Store;
  readonly logger: Logger;
  readonly settings: RetentionDeps["settings"];
}): Upkeep {
  const retention = createRetention(deps);
  const tasks = [retention, createFindingsUpkeep(deps), createIdentityUpkeep(deps)];
  return {
    metrics: retention.metrics,
    start: () => tasks.forEach((task) => task.start()),
    stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  };
}
