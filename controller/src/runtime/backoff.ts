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
