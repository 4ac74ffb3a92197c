/** Health of the target: as at the start of the scan, blocking or throttling the scan, or not responding. */
export type TargetHealth = "healthy" | "blocking" | "unresponsive";
export type Loss = Exclude<TargetHealth, "healthy">;

export interface SupervisorDeps {
  /** Whether the target still responds as it did when it was calibrated. */
  readonly health: () => Promise<TargetHealth>;
  /** Waits, up to a limit, until the target is healthy; responses cached during the outage are discarded. */
  readonly recover: (seen: Loss) => Promise<TargetHealth>;
}

/** Does work on the target while it is healthy, and repeats items whose results an outage made invalid. */
export interface Supervisor {
  /**
   * Does all items that `take` returns, concurrently. Results since the last successful health check do not
   * count: their items are repeated after the target has recovered, with less concurrency. Returns the items not done
   * because the target did not recover.
   */
  run<T, R>(work: Work<T, R>): Promise<readonly T[]>;
  /** Why the scan stopped before its end; undefined while it continues. */
  readonly loss: Loss | undefined;
}

export interface Work<T, R> {
  /** Items are done one at a time. */
  readonly alone?: true;
  /** The next item; undefined when there is none at the moment. */
  readonly take: () => T | undefined;
  readonly do: (item: T) => Promise<R>;
  /** Called with final results, in the order of their completion. May make more items available. */
  readonly settled: (done: readonly Done<T, R>[]) => void;
  /** True for a result without a response: its item is repeated. */
  readonly isInvalidated?: (result: R) => boolean;
  /** Called before an item is repeated because of its result. */
  readonly repeats?: (item: T, result: R) => void;
}

export interface Done<T, R> {
  readonly item: T;
  readonly result: R;
}

export const createSupervisor = (deps: SupervisorDeps): Supervisor => new TargetSupervisor(deps);

class TargetSupervisor implements Supervisor {
  readonly #deps: SupervisorDeps;
  #loss: Loss | undefined;
  #pace: Pace = FASTEST;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
  }

  get loss(): Loss | undefined {
    return this.#loss;
  }

  async run<T, R>(work: Work<T, R>): Promise<readonly T[]> {
    const again: T[] = [];
    const take = (): T | undefined => again.shift() ?? work.take();
    const repeats = new Map<T, number>();
    const timesRepeated = (item: T): number => repeats.get(item) ?? 0;
    const settled: typeof work.settled = (done) => {
      this.#pace = faster(this.#pace);
      // An outage that ended before the next health check made these results invalid.
      const invalidated = done.filter(
        ({ item, result }) => work.isInvalidated?.(result) && timesRepeated(item) < MAX_REPEATS,
      );
      for (const { item, result } of invalidated) {
        work.repeats?.(item, result);
        again.push(item);
        repeats.set(item, timesRepeated(item) + 1);
      }
      work.settled(done.filter((each) => !invalidated.includes(each)));
    };
    let hasBegun = false;
    for (let next = take(); next !== undefined; next = take()) {
      again.unshift(next);
      if (!hasBegun) await this.#begin();
      hasBegun = true;
      if (this.#loss) return again;
      const deps = { health: this.#deps.health, pace: this.#pace };
      const { seen, unsettled } = await workWhileHealthy({ ...work, take, settled }, deps);
      if (seen === "healthy") continue;
      again.unshift(...unsettled.map(({ item }) => item));
      await this.#endOutage(seen);
    }
    return [];
  }

  /** What was sent before may have caused an outage already. */
  async #begin(): Promise<void> {
    if (this.#loss) return;
    const seen = await this.#deps.health();
    if (seen !== "healthy") await this.#endOutage(seen);
  }

  async #endOutage(seen: Loss): Promise<void> {
    const after = await this.#deps.recover(seen);
    this.#pace = slower(this.#pace);
    if (after !== "healthy") this.#loss = after;
    else if (this.#pace.outages >= MAX_OUTAGES) this.#loss = seen;
  }
}

/** Number of concurrent items, and of items between two health checks. */
interface Pace {
  readonly workers: number;
  readonly items: number;
  /** Outages since the last successful health check. */
  readonly outages: number;
}

/** Several times the maximum number of requests: an item also computes, and waits for responses that others share. */
const FASTEST: Pace = { workers: 32, items: 80, outages: 0 };
const MIN_ITEMS = 5;
const MAX_OUTAGES = 5;
/** Of an item that gets no response though the target is healthy. */
const MAX_REPEATS = 2;

const slower = ({ workers, items, outages }: Pace): Pace => ({
  workers: Math.max(1, Math.floor(workers / 4)),
  items: Math.max(MIN_ITEMS, Math.floor(items / 4)),
  outages: outages + 1,
});
const faster = ({ workers, items }: Pace): Pace => ({
  workers: Math.min(FASTEST.workers, workers * 2),
  items: Math.min(FASTEST.items, items * 2),
  outages: 0,
});

/**
 * Works until no items are left, responses were lost or a health check fails: then the results since the last successful one
 * are not settled. Below the fastest pace it also ends at the first successful health check, so that the next call can be faster.
 */
async function workWhileHealthy<T, R>(
  work: Work<T, R>,
  { health, pace }: Pick<SupervisorDeps, "health"> & { readonly pace: Pace },
): Promise<{ seen: TargetHealth; unsettled: readonly Done<T, R>[] }> {
  const done: Done<T, R>[] = [];
  let seen: TargetHealth = "healthy";
  let healthCheck: Promise<void> | undefined;
  let ends = false;
  const checkHealthAfter = async (count: number): Promise<void> => {
    const lost = done.slice(0, count).some(({ result }) => work.isInvalidated?.(result));
    seen = await health();
    if (seen === "healthy") work.settled(done.splice(0, count));
    ends = seen !== "healthy" || lost || pace.workers < FASTEST.workers;
  };
  const worker = async (): Promise<void> => {
    for (let item = work.take(); item !== undefined; item = work.take()) {
      done.push({ item, result: await work.do(item) });
      // Other workers continue meanwhile; their results wait for the next health check.
      if (done.length >= pace.items)
        healthCheck ??= checkHealthAfter(done.length).finally(() => (healthCheck = undefined));
      if (ends) return;
    }
  };
  await Promise.all(Array.from({ length: work.alone ? 1 : pace.workers }, worker));
  await healthCheck;
  if (seen === "healthy" && done.length > 0) await checkHealthAfter(done.length);
  return { seen, unsettled: done };
}
