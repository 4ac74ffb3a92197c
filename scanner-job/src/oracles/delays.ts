/** One answer: how long the server was asked to wait, and how long the answer took, in milliseconds. */
export interface Timing {
  readonly askedMs: number;
  readonly elapsedMs: number;
}

/** By how much a wait may be missed, in milliseconds. */
export const TOLERANCE_MS = 150;

/** Waits that are asked for, one after the other in random order; after each, one of none. */
export const WAITS_MS = [300, 600, 900, 1200, 1500] as const;
/** How many of them are asked for in one look. */
export const WAITS = 4;

/** What an answer takes that does not wait; undefined where ordinary answers vary by more than what is to be told apart. */
export function usualTime(elapsed: readonly number[]): number | undefined {
  const usual = median(elapsed);
  const spread = median(elapsed.map((each) => Math.abs(each - usual)));
  return 3 * spread <= TOLERANCE_MS ? usual : undefined;
}

/**
 * Whether the answers took as long as was asked, each of them. One that should not have waited and did voids all.
 *
 * How often chance does that: let an answer stall with the probability p, for a time that lies anywhere within 5 s. It meets
 * a window of 2 × 150 ms with p × 0.3 / 5; for p = 10 %, 0.006. Four waits do with 0.006⁴, 1.3 × 10⁻⁹, and both looks of a
 * scan with its square. Stalls that come together are told by the answers between them that should not wait.
 */
export const obeysWaits = (timings: readonly Timing[], usualMs: number): boolean =>
  timings.length > 0 &&
  timings.every(({ askedMs, elapsedMs }) => Math.abs(elapsedMs - usualMs - askedMs) <= TOLERANCE_MS);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
