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
   * Does all items that `take` returns, several at a time. What was done since the target was last healthy does not
   * count: it is done again once the target has recovered, fewer at a time. Returns the items that were not done
   * because the target did not recover.
   */
  run<T, R>(work: Work<T, R>): Promise<readonly T[]>;
  /** Why the scan gave the target up; undefined while it did not. */
  readonly loss: Loss | undefined;
}

export interface Work<T, R> {
  /** The next item; undefined when there is none at the moment. */
  readonly take: () => T | undefined;
  readonly do: (item: T) => Promise<R>;
  /** Told of results that will not be taken back, in the order in which they came. May make more items available. */
  readonly settled: (done: readonly Done<T, R>[]) => void;
}

export interface Done<T, R> {
  readonly item: T;
  readonly result: R;
}

/** Items between two looks at the target's health, at most and at least. */
const [MOST, LEAST] = [80, 5];
/** Items under way: twice the requests that may be, because an item also computes. */
const WORKERS = 16;
/** Outages in a row. */
const MAX_OUTAGES = 5;

export function createSupervisor({ health, recover }: SupervisorDeps): Supervisor {
  let loss: Loss | undefined;
  let hasBegun = false;
  let size = MOST;
  let workers = WORKERS;
  let outages = 0;

  const endOutage = async (seen: Loss): Promise<void> => {
    const after = await recover(seen);
    outages++;
    size = Math.max(LEAST, Math.floor(size / 4));
    workers = Math.max(1, Math.floor(workers / 4));
    if (after !== "healthy") loss = after;
    else if (outages >= MAX_OUTAGES) loss = seen;
  };

  /** Works until nothing is left or the target is no longer healthy; then returns what it saw, and leaves `done` to be repeated. */
  async function workWhileHealthy<T, R>(work: Work<T, R>, done: Done<T, R>[]): Promise<TargetHealth> {
    let seen: TargetHealth = "healthy";
    let look: Promise<void> | undefined;
    const lookAt = async (count: number): Promise<void> => {
      const now = await health();
      if (now !== "healthy") seen = now;
      if (seen !== "healthy") return;
      work.settled(done.splice(0, count));
      size = Math.min(MOST, size * 2);
      workers = Math.min(WORKERS, workers * 2);
      outages = 0;
    };
    const worker = async (): Promise<void> => {
      for (let item = work.take(); item !== undefined; item = work.take()) {
        done.push({ item, result: await work.do(item) });
        // Others work on meanwhile; their results wait for the next look.
        if (done.length >= size) look ??= lookAt(done.length).finally(() => (look = undefined));
        if (seen !== "healthy") return;
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
    await look;
    if (seen === "healthy" && done.length > 0) await lookAt(done.length);
    return seen;
  }

  return {
    async run<T, R>(work: Work<T, R>): Promise<readonly T[]> {
      const again: T[] = [];
      const take = (): T | undefined => again.shift() ?? work.take();
      let next = take();
      if (next !== undefined && !hasBegun) {
        hasBegun = true; // profiling may have been too much already
        const seen = await health();
        if (seen !== "healthy") await endOutage(seen);
      }
      while (next !== undefined) {
        again.unshift(next);
        if (loss) return again;
        const done: Done<T, R>[] = [];
        const seen = await workWhileHealthy({ ...work, take }, done);
        if (seen !== "healthy") {
          again.unshift(...done.map(({ item }) => item));
          await endOutage(seen);
        }
        next = take();
      }
      return [];
    },
    get loss() {
      return loss;
    },
  };
}
