import type { Clock } from "./clock.ts";

/** Doubling waits with a limit, in milliseconds. */
export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** A source of numbers from 0 (included) to 1 (excluded). */
export type Random = () => number;

/**
 * How long to wait after the n-th failure in a row (the first is 1): `baseMs` doubled for each further failure, at most
 * `maxMs`, of which the upper half is left to chance, so that many clients do not come back together.
 */
export function backoffMs({ baseMs, maxMs }: Backoff, failures: number, random: Random): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return ceiling * (0.5 + random() / 2);
}

export interface Rate {
  /** Maximum number at a time. */
  readonly burst: number;
  /** Long-term rate per second. */
  readonly perSecond: number;
}

/** Returns a function that takes one token, and returns whether there was one. */
export function createTokenBucket({ burst, perSecond }: Rate, clock: Clock): () => boolean {
  let tokens = burst;
  let filledAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Runs a task as soon as the limit allows. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>;

/** Limits concurrent tasks; the others wait in FIFO order. */
export function atMost(count: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
