/** How many requests one client made in its current window of a minute. */
export interface RateCount {
  readonly consumed: number;
  /** Until the window resets, in milliseconds. */
  readonly msBeforeReset: number;
}

/** Counts requests. A window starts with its first request and lasts a minute. */
export interface RateCounter {
  /** `requests`: the number that this one stands for. */
  count(client: string, requests?: number): Promise<RateCount>;
  close(): Promise<void>;
}

export const WINDOW_SECONDS = 60;

/** The use of a client's rate limit (docs/specification.md, "Limits": the three X-RateLimit headers). */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds. */
  readonly resetAt: number;
  readonly exceeded: boolean;
  /** It was reached, and this is the first request that exceeds it in its window. */
  readonly isFirstExcess: boolean;
  /** Seconds. */
  readonly retryAfter: number;
}

export function rateState({ consumed, msBeforeReset }: RateCount, limit: number, now: Date): RateState {
  return {
    limit,
    remaining: Math.max(0, limit - consumed),
    resetAt: Math.ceil((now.getTime() + msBeforeReset) / 1000),
    exceeded: consumed > limit,
    isFirstExcess: consumed === limit + 1,
    retryAfter: Math.max(1, Math.ceil(msBeforeReset / 1000)),
  };
}

/** Of two limits that hold for one client, the one that is reached first. */
export const tighter = (one: RateState, other: RateState): RateState =>
  other.remaining < one.remaining || (other.exceeded && !one.exceeded) ? other : one;

/** For responses that are not counted, such as health checks. */
export const uncounted = (limit: number, now: Date): RateState =>
  rateState({ consumed: 0, msBeforeReset: WINDOW_SECONDS * 1000 }, limit, now);
