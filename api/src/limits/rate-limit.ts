import ipaddr from "ipaddr.js";

/** How many requests one client made in its current window of a minute. */
export interface RateCount {
  readonly consumed: number;
  /** Until the window resets, in milliseconds. */
  readonly msBeforeReset: number;
}

/** Counts requests. A window starts with its first request and lasts a minute. */
export interface RateCounter {
  count(client: string): Promise<RateCount>;
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
  /** Seconds. */
  readonly retryAfter: number;
}

export function rateState({ consumed, msBeforeReset }: RateCount, limit: number, now: Date): RateState {
  return {
    limit,
    remaining: Math.max(0, limit - consumed),
    resetAt: Math.ceil((now.getTime() + msBeforeReset) / 1000),
    exceeded: consumed > limit,
    retryAfter: Math.max(1, Math.ceil(msBeforeReset / 1000)),
  };
}

/** Of two limits that hold for one client, the one that is reached first. */
export const tighter = (one: RateState, other: RateState): RateState =>
  other.remaining < one.remaining || (other.exceeded && !one.exceeded) ? other : one;

/** For answers that are not counted, such as health checks. */
export const uncounted = (limit: number, now: Date): RateState =>
  rateState({ consumed: 0, msBeforeReset: WINDOW_SECONDS * 1000 }, limit, now);

/**
 * The rate limit key of a client without an API key: its IPv4 address, or the /64 of its IPv6 address, because one subscriber
 * usually has a whole /64.
 */
export function addressKey(address: string | undefined): string {
  if (!address || !ipaddr.isValid(address)) return `address:${address ?? "unknown"}`;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return `address:${parsed.toString()}`;
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `address:${prefix.join(":")}::/64`;
}
