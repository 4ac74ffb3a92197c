const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds after each failed attempt; 23.6 hours in all. */
const DELAYS = [5, 30, 5 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 10 * HOUR];

/** Attempts of a delivery. @internal */
export const MAX_ATTEMPTS = DELAYS.length + 1;

/** Share of a delay that is random, so that a receiver that was down is not called by everything at the same time. */
const JITTER = 0.2;

/**
 * Seconds from the failed attempt of this number (1 for the first) to the next; null after the last. Never longer than the
 * table has it, so that an event is given up within 24 hours.
 * @param random 0 to 1
 */
export function retrySeconds(attempt: number, random: number): number | null {
  const delay = DELAYS[attempt - 1];
  return delay === undefined ? null : delay * (1 - JITTER * random);
}
