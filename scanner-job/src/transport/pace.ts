/** How many requests may be in flight, and until when none may start. Pure: `nextPace` is the whole policy. */
export interface Pace {
  readonly concurrency: number;
  /** Milliseconds of the scan's clock; all requests wait until then. */
  readonly pausedUntil: number;
  /** Latency of the first responses, in milliseconds: the baseline for rising latency. */
  readonly baselineMs: number | undefined;
  readonly goodInARow: number;
  /** Paths that responded with 429 or 503, the latest last. */
  readonly limited: ReadonlyMap<string, LimitedPath>;
  /** Different paths that responded with 429 or 503 since the last other response. */
  readonly throttledInARow: readonly string[];
  /** Pauses of the whole scan for a limit of the host since the last other response. */
  readonly hostPauses: number;
}

/** A path with a rate limit, or that is unavailable, and how long the scan has waited for it. */
export interface LimitedPath {
  /** Requests for this path wait until then. */
  readonly pausedUntil: number;
  /** False once the path is not waited for: a request that it throttles is not retried. */
  readonly isWaitedFor: boolean;
  /** Pauses, and their milliseconds, since the path last responded with something else. */
  readonly pauses: number;
  readonly pausesMs: number;
  /** Milliseconds of all pauses of the scan. */
  readonly totalMs: number;
}

export interface Observation {
  readonly now: number;
  /** Method and path template, or path, of the request. */
  readonly path: string;
  /** 0 without a response. */
  readonly status: number;
  /** The connection was reset or refused, as it is while a target restarts. */
  readonly isLost?: boolean;
  readonly elapsedMs: number;
  readonly retryAfterSeconds?: number | undefined;
}

export const MAX_CONCURRENCY = 8;
/** A target may require more; the scan's deadline does not allow it. */
const MAX_PAUSE_MS = 10_000;
const GOOD_BEFORE_FASTER = 8;
/** Without a response that helps: an outage that is longer is waited for in health checks, a limit that is longer not at all. */
const MAX_PAUSES_IN_A_ROW = 3;
/** For one path in a scan. */
const MAX_PATH_PAUSES_MS = 30_000;
/** Where this many paths in a row are throttled, the limit is one of the host or of the client. */
const PATHS_OF_A_HOST_LIMIT = 3;
/** Paths that are remembered, at most. */
const MAX_LIMITED = 200;

export const FIRST_PACE: Pace = {
  concurrency: MAX_CONCURRENCY,
  pausedUntil: 0,
  baselineMs: undefined,
  goodInARow: 0,
  limited: new Map(),
  throttledInARow: [],
  hostPauses: 0,
};

/**
 * Additive increase, multiplicative decrease: halve on 503, lost connections, timeouts, rising latency, or 429 of several paths;
 * honour Retry-After. A 429 or 503 of one path pauses this path only.
 */
export function nextPace(pace: Pace, seen: Observation): Pace {
  const baselineMs =
    pace.baselineMs === undefined
      ? seen.elapsedMs
      : Math.min(pace.baselineMs * 1.05 + 1, Math.max(pace.baselineMs, seen.elapsedMs));
  if (seen.status === 429 || seen.status === 503) return { ...afterThrottling(pace, seen), baselineMs };
  const next = { ...(seen.status === 0 ? pace : afterResponse(pace, seen.path)), baselineMs };
  if (isStrained(seen, pace.baselineMs)) return slower(next);
  const faster = pace.goodInARow + 1 >= GOOD_BEFORE_FASTER;
  return {
    ...next,
    concurrency: faster ? Math.min(MAX_CONCURRENCY, pace.concurrency + 1) : pace.concurrency,
    goodInARow: faster ? 0 : pace.goodInARow + 1,
  };
}

/** When a request for the path may start. */
export const startOf = (pace: Pace, path: string): number =>
  Math.max(pace.pausedUntil, pace.limited.get(path)?.pausedUntil ?? 0);

/** Whether a request that the path has just throttled should be sent again after the pause. */
export const isWaitedFor = (pace: Pace, path: string): boolean =>
  pace.limited.get(path)?.isWaitedFor === true;

const slower = (pace: Pace): Pace => ({
  ...pace,
  concurrency: Math.max(1, Math.floor(pace.concurrency / 2)),
  goodInARow: 0,
});

function isStrained({ status, elapsedMs }: Observation, baselineMs: number | undefined): boolean {
  if (status === 0) return true;
  return baselineMs !== undefined && elapsedMs > baselineMs * 4 + 500;
}

/** The pause that a response asks for; undefined where it is longer than the scan waits. */
function throttledPauseMs({ retryAfterSeconds = 1 }: Observation): number | undefined {
  const pauseMs = retryAfterSeconds * 1000;
  return pauseMs > MAX_PAUSE_MS ? undefined : pauseMs;
}

function afterThrottling(pace: Pace, seen: Observation): Pace {
  const limited = remember(pace.limited, seen.path, limitedPath(pace.limited.get(seen.path), seen));
  const throttledInARow = pace.throttledInARow.includes(seen.path)
    ? pace.throttledInARow
    : [...pace.throttledInARow, seen.path].slice(-PATHS_OF_A_HOST_LIMIT);
  const next = { ...pace, limited, throttledInARow, goodInARow: 0 };
  if (throttledInARow.length >= PATHS_OF_A_HOST_LIMIT) return afterHostLimit(next, seen);
  return seen.status === 503 ? slower(next) : next;
}

/** Requests that were in flight when the pause began bring no further one. */
function afterHostLimit(pace: Pace, seen: Observation): Pace {
  const pauseMs = throttledPauseMs(seen) ?? 0;
  const isKnown = seen.now < pace.pausedUntil;
  if (isKnown || pauseMs === 0 || pace.hostPauses >= MAX_PAUSES_IN_A_ROW) return slower(pace);
  return { ...slower(pace), pausedUntil: seen.now + pauseMs, hostPauses: pace.hostPauses + 1 };
}

const UNLIMITED: LimitedPath = {
  pausedUntil: -Infinity,
  isWaitedFor: true,
  pauses: 0,
  pausesMs: 0,
  totalMs: 0,
};

function limitedPath(before: LimitedPath = UNLIMITED, seen: Observation): LimitedPath {
  // The request was in flight when the pause began.
  if (seen.now - seen.elapsedMs < before.pausedUntil) return before;
  const pauseMs = throttledPauseMs(seen);
  const mayPause =
    pauseMs !== undefined &&
    before.pauses < MAX_PAUSES_IN_A_ROW &&
    before.pausesMs + pauseMs <= MAX_PAUSE_MS &&
    before.totalMs + pauseMs <= MAX_PATH_PAUSES_MS;
  if (!mayPause) return { ...before, isWaitedFor: false };
  return {
    pausedUntil: seen.now + pauseMs,
    isWaitedFor: true,
    pauses: before.pauses + 1,
    pausesMs: before.pausesMs + pauseMs,
    totalMs: before.totalMs + pauseMs,
  };
}

function afterResponse(pace: Pace, path: string): Pace {
  const known = pace.limited.get(path);
  const limited =
    known === undefined || known.pauses === 0
      ? pace.limited
      : remember(pace.limited, path, { ...known, pauses: 0, pausesMs: 0 });
  return pace.throttledInARow.length === 0 && pace.hostPauses === 0 && limited === pace.limited
    ? pace
    : { ...pace, limited, throttledInARow: [], hostPauses: 0 };
}

function remember(
  limited: Pace["limited"],
  path: string,
  state: LimitedPath,
): ReadonlyMap<string, LimitedPath> {
  if (limited.get(path) === state) return limited;
  const others = [...limited].filter(([other]) => other !== path);
  return new Map([...others.slice(-(MAX_LIMITED - 1)), [path, state]]);
}

/** Seconds of a Retry-After header (RFC 9110 §10.2.3), which is a number or a date; undefined when neither. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}
