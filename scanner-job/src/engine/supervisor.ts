import { inParallel } from "./in-parallel.ts";

/** How the target takes the scan: as at its start, by blocking or throttling it, or by answering no more. */
export type TargetHealth = "healthy" | "blocking" | "unresponsive";
export type Loss = Exclude<TargetHealth, "healthy">;

export interface SupervisorDeps {
  /** Whether the target still answers as it did when it was calibrated. */
  readonly health: () => Promise<TargetHealth>;
  /** Waits, within bounds, until the target answers as it did; what it answered meanwhile is forgotten. */
  readonly recover: (seen: Loss) => Promise<TargetHealth>;
}

/** Does work on the target as long as that answers as it did at first, and repeats what an outage spoilt. */
export interface Supervisor {
  /**
   * The work's result for each item, in order. What was done since the target was last healthy is believed by nobody:
   * it is done again once the target has recovered, fewer at a time. When it does not recover, the rest is `lost`.
   */
  run<T, R>(items: readonly T[], work: Work<T, R>): Promise<R[]>;
  /** Why the scan gave the target up; undefined while it did not. */
  readonly loss: Loss | undefined;
}

export interface Work<T, R> {
  readonly do: (item: T) => Promise<R>;
  readonly lost: (item: T, loss: Loss) => R;
  /** Told of each item that will not be done again. */
  readonly onDone?: (item: T) => void;
}

/** Items between two looks at the target's health, at most and at least. */
const [MOST, LEAST] = [80, 5];
/** Batches in a row that may be spoilt. */
const MAX_SPOILT = 5;

export function createSupervisor({ health, recover }: SupervisorDeps): Supervisor {
  let loss: Loss | undefined;
  let hasBegun = false;
  let size = MOST;
  let spoilt = 0;

  /** True when the target is as it was at first, or became so again; the second time in vain. */
  const isHealthy = async (): Promise<boolean> => {
    const seen = await health();
    if (seen === "healthy") return true;
    const after = await recover(seen);
    spoilt++;
    size = Math.max(LEAST, Math.floor(size / 4));
    if (after !== "healthy") loss = after;
    else if (spoilt >= MAX_SPOILT) loss = seen;
    return false;
  };

  return {
    async run<T, R>(items: readonly T[], work: Work<T, R>): Promise<R[]> {
      const results: R[] = [];
      if (!hasBegun && items.length > 0) {
        hasBegun = true; // profiling may have been too much already
        await isHealthy();
      }
      while (results.length < items.length) {
        const batch = items.slice(results.length, results.length + size);
        if (loss) results.push(...batch.map((item) => work.lost(item, loss!)));
        else {
          const done = await inParallel(batch, work.do);
          if (!(await isHealthy())) continue;
          results.push(...done);
          size = Math.min(MOST, size * 2);
          spoilt = 0;
        }
        for (const item of batch) work.onDone?.(item);
      }
      return results;
    },
    get loss() {
      return loss;
    },
  };
}
