/** One response: the requested delay and the response time, in milliseconds. */
export interface Timing {
  readonly askedMs: number;
  readonly elapsedMs: number;
}

/** Tolerance between requested and measured delay, in milliseconds. */
const TOLERANCE_MS = 150;

/** Requested delays, sent one after the other in random order; after each, a request without a delay. */
export const WAITS_MS = [300, 600, 900, 1200, 1500] as const;
/** Number of delays in one series. */
export const WAITS = 4;
/** Series in one examination: a stall of the target invalidates a series, which does not prove that it does not wait. */
export const MAX_SERIES = 2;

/** The baseline response time without a delay; undefined where baseline response times vary by more than the tolerance. */
export function baselineTime(elapsed: readonly number[]): number | undefined {
  const baseline = median(elapsed);
  const spread = median(elapsed.map((each) => Math.abs(each - baseline)));
  return 3 * spread <= TOLERANCE_MS ? baseline : undefined;
}

/**
 * Whether each response took the requested time. A late response to a request without a delay invalidates all.
 *
 * False positives: let a response stall with the probability p, for a time evenly distributed over 5 s. It falls into
 * a window of 2 × 150 ms with p × 0.3 / 5; for p = 10 %, 0.006. Four delays do with 0.006⁴, 1.3 × 10⁻⁹, one of two series
 * with twice that, and both examinations with its square. Stalls of several responses in a row are detected by the requests without
 * a delay.
 */
export const obeysWaits = (timings: readonly Timing[], baselineMs: number): boolean =>
  timings.length > 0 &&
  timings.every(({ askedMs, elapsedMs }) => Math.abs(elapsedMs - baselineMs - askedMs) <= TOLERANCE_MS);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
