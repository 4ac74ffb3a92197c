import { type Clock, systemClock } from "../timing/clock.ts";
import { retryAfterMs } from "../client/error.ts";
import { type Backoff, backoffMs, type Random } from "../timing/throttling.ts";

export interface WorkQueueOptions {
  /**
   * Processes one key. Returns when to requeue it, if at all. After a failure, the key is requeued with backoff.
   */
  readonly handle: (key: string) => Promise<Requeue | undefined>;
  readonly workers: number;
  readonly observer?: WorkQueueObserver;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Waits after failures; 500 ms to 5 minutes when absent. */
  readonly backoff?: Backoff;
}

export interface Requeue {
  readonly afterMs: number;
}

/** Hooks for metrics and logs. */
export interface WorkQueueObserver {
  started?(key: string, waitedMs: number): void;
  finished?(key: string, tookMs: number): void;
  failed?(key: string, failure: { error: unknown; failures: number; retryInMs: number }): void;
}

/**
 * A work queue of keys. A waiting key is not added twice; a key that is added while it is processed is processed once more
 * afterwards. So no change is missed, and no key is processed concurrently.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #clock: Clock;
  readonly #delayed: DelayedKeys;
  /** Keys that wait for a worker, in order, with the time since when. */
  readonly #waiting = new Map<string, number>();
  readonly #processing = new Set<string>();
  /** Keys that were added while they were processed. */
  readonly #again = new Set<string>();
  /** Of each key that failed last time: how often in a row, and until when (monotonic) it waits for that. */
  readonly #failed = new Map<string, { readonly failures: number; readonly until: number }>();
  readonly #idle = Promise.withResolvers<void>();
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#delayed = createDelayedKeys(this.#clock, (key) => this.#enqueue(key));
  }

  /** Keys that wait for a worker, without delayed ones. */
  get depth(): number {
    return this.#waiting.size + this.#again.size;
  }

  /** Keys that are being processed. */
  get active(): number {
    return this.#processing.size;
  }

  add(key: string): void {
    if (!this.#closed) this.#enqueue(key);
  }

  /** Adds the key after this many milliseconds. Of several times for one key the earliest counts. */
  addAfter(key: string, ms: number): void {
    if (!this.#closed) this.#delayed.add(key, ms);
  }

  /** Accepts no more keys, processes the waiting ones, and resolves when all workers are idle. */
  drain(): Promise<void> {
    this.#closed = true;
    this.#delayed.clear();
    this.#startWorkers();
    return this.#idle.promise;
  }

  /** Accepts no more keys, drops the waiting ones, and resolves when all workers are idle. */
  halt(): Promise<void> {
    this.#waiting.clear();
    this.#again.clear();
    return this.drain();
  }

  #enqueue(key: string): void {
    if (this.#processing.has(key)) this.#again.add(key);
    else if (!this.#waiting.has(key)) this.#waiting.set(key, this.#clock.monotonic());
    this.#startWorkers();
  }

  #startWorkers(): void {
    for (const [key, since] of this.#waiting) {
      if (this.#processing.size >= this.#options.workers) return;
      this.#waiting.delete(key);
      this.#processing.add(key);
      void this.#work(key, this.#clock.monotonic() - since);
    }
    if (this.#closed && this.#processing.size === 0) this.#idle.resolve();
  }

  async #work(key: string, waitedMs: number): Promise<void> {
    const { handle, observer } = this.#options;
    const startedAt = this.#clock.monotonic();
    observer?.started?.(key, waitedMs);
    try {
      this.#succeed(key, await handle(key));
    } catch (error) {
      this.#fail(key, error);
    }
    observer?.finished?.(key, this.#clock.monotonic() - startedAt);
    this.#processing.delete(key);
    if (this.#again.delete(key)) this.#enqueue(key);
    else this.#startWorkers();
  }

  #succeed(key: string, requeue: Requeue | undefined): void {
    this.#failed.delete(key);
    if (requeue !== undefined) this.addAfter(key, requeue.afterMs);
  }

  #fail(key: string, error: unknown): void {
    const { backoff = { baseMs: 500, maxMs: 300_000 }, random = Math.random, observer } = this.#options;
    const now = this.#clock.monotonic();
    const before = this.#failed.get(key) ?? { failures: 0, until: now };
    // An event requeued it early: another failure in the same outage does not increase the backoff.
    const isEarly = before.until > now;
    const failures = isEarly ? before.failures : before.failures + 1;
    const waitMs = isEarly ? before.until - now : backoffMs(backoff, failures, random);
    const retryInMs = Math.max(retryAfterMs(error) ?? 0, waitMs);
    this.#failed.set(key, { failures, until: now + retryInMs });
    this.addAfter(key, retryInMs);
    observer?.failed?.(key, { error, failures, retryInMs });
  }
}

/** Keys that become due at a time. */
export interface DelayedKeys {
  /** Of several times for one key the earliest counts. */
  add(key: string, ms: number): void;
  /** Forgets all of them. */
  clear(): void;
}

/** Limit of a Node timer; a longer one fires immediately. */
const MAX_MS = 2 ** 31 - 1;

/** One timer for the next of all keys: there may be many thousands, most of which wait for hours. @internal */
export function createDelayedKeys(clock: Clock, due: (key: string) => void): DelayedKeys {
  const times = new Map<string, number>();
  /** The latest first. Entries whose time was replaced are ignored. */
  let queue: Entry[] = [];
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;

  const schedule = (): void => {
    const next = queue.at(-1);
    if (next === undefined || (timer !== undefined && timer.at <= next.at)) return;
    timer?.cancel();
    const ms = Math.min(Math.max(0, next.at - clock.monotonic()), MAX_MS);
    timer = { at: next.at, cancel: clock.after(ms, fire) };
  };
  const fire = (): void => {
    timer = undefined;
    const now = clock.monotonic();
    while ((queue.at(-1)?.at ?? Infinity) <= now) {
      const { key, at } = queue.pop()!;
      if (times.get(key) !== at) continue;
      times.delete(key);
      due(key);
    }
    schedule();
  };
  return {
    add(key, ms) {
      const at = clock.monotonic() + ms;
      if ((times.get(key) ?? Infinity) <= at) return;
      times.set(key, at);
      queue.splice(insertionIndex(at, queue), 0, { key, at });
      schedule();
    },
    clear() {
      timer?.cancel();
      timer = undefined;
      times.clear();
      queue = [];
    },
  };
}

interface Entry {
  readonly key: string;
  readonly at: number;
}

/** Where the entry goes: before all that are due no later. */
function insertionIndex(at: number, queue: readonly Entry[]): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (queue[middle]!.at > at) low = middle + 1;
    else high = middle;
  }
  return low;
}
