/** How many requests may be in flight, and until when none may start. Pure: `nextPace` is the whole policy. */
export interface Pace {
  readonly concurrency: number;
  /** Milliseconds of the scan's clock; requests wait until then. */
  readonly pausedUntil: number;
  /** Latency of the first answers, in milliseconds: the baseline for rising latency. */
  readonly usualMs: number | undefined;
  readonly goodInARow: number;
  /** Answers with 503 in a row. */
  readonly unavailable: number;
  /** Pauses so far because a connection was lost. */
  readonly pausesForLosses: number;
}

export interface Observation {
  readonly now: number;
  /** 0 without a response. */
  readonly status: number;
  /** The connection was reset or refused, as it is while a target restarts. */
  readonly isLost?: boolean;
  readonly elapsedMs: number;
  readonly retryAfterSeconds?: number | undefined;
}

export const MAX_CONCURRENCY = 8;
/** A target may require more; the scan's deadline does not allow it. */
export const LONGEST_PAUSE_MS = 10_000;
const GOOD_BEFORE_FASTER = 8;
/** For answers with 503 that ask for no pause: an outage that is longer is waited for in health checks. */
const MAX_PAUSES_IN_A_ROW = 3;
/** A lost connection may be a short outage: without a pause, every request that is waiting would be lost in it too. */
const LOSS_PAUSE_MS = 200;
/** A firewall may cut every attack off; the scan does not wait for it without end. */
const MAX_LOSS_PAUSES = 100;

export const FIRST_PACE: Pace = {
  concurrency: MAX_CONCURRENCY,
  pausedUntil: 0,
  usualMs: undefined,
  goodInARow: 0,
  unavailable: 0,
  pausesForLosses: 0,
};

/** Additive increase, multiplicative decrease: halve on 429, 503, lost connections, timeouts or rising latency; honour Retry-After. */
export function nextPace(pace: Pace, seen: Observation): Pace {
  const unavailable = seen.status === 503 ? pace.unavailable + 1 : 0;
  const usualMs =
    pace.usualMs === undefined
      ? seen.elapsedMs
      : Math.min(pace.usualMs * 1.05 + 1, Math.max(pace.usualMs, seen.elapsedMs));
  if (isStrained(seen, pace.usualMs)) {
    const pausesForLoss =
      seen.isLost === true && pace.pausedUntil <= seen.now && pace.pausesForLosses < MAX_LOSS_PAUSES;
    return {
      concurrency: Math.max(1, Math.floor(pace.concurrency / 2)),
      pausedUntil: Math.max(
        pace.pausedUntil,
        seen.now + (pausesForLoss ? LOSS_PAUSE_MS : pauseMs(seen, unavailable)),
      ),
      usualMs,
      goodInARow: 0,
      unavailable,
      pausesForLosses: pace.pausesForLosses + (pausesForLoss ? 1 : 0),
    };
  }
  const faster = pace.goodInARow + 1 >= GOOD_BEFORE_FASTER;
  return {
    ...pace,
    unavailable,
    usualMs,
    concurrency: faster ? Math.min(MAX_CONCURRENCY, pace.concurrency + 1) : pace.concurrency,
    goodInARow: faster ? 0 : pace.goodInARow + 1,
  };
}

function isStrained({ status, elapsedMs }: Observation, usualMs: number | undefined): boolean {
  if (status === 429 || status === 503 || status === 0) return true;
  return usualMs !== undefined && elapsedMs > usualMs * 4 + 500;
}

function pauseMs({ status, retryAfterSeconds }: Observation, unavailable: number): number {
  if (status !== 429 && status !== 503) return 0;
  if (retryAfterSeconds === undefined && unavailable > MAX_PAUSES_IN_A_ROW) return 0;
  return Math.min(LONGEST_PAUSE_MS, (retryAfterSeconds ?? 1) * 1000);
}

/** Seconds of a Retry-After header (RFC 9110 §10.2.3), which is a number or a date; undefined when neither. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}

/** Limits concurrency and rate of requests to what the target handles. */
export class Gate {
  #pace: Pace = FIRST_PACE;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #now: () => number;
  #wakeUp: NodeJS.Timeout | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs the request when the pace allows; `observe` receives the outcome. */
  async pass<T>(
    request: () => Promise<T>,
    observe: (result: T | undefined, error: unknown) => Omit<Observation, "now">,
  ): Promise<T> {
    await this.#waitForSlot();
    let result: T | undefined;
    let failure: unknown;
    try {
      result = await request();
      return result;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.#underWay--;
      this.#pace = nextPace(this.#pace, { now: this.#now(), ...observe(result, failure) });
      this.#admit();
    }
  }

  /** Releases waiting requests at the end of a scan. */
  close(): void {
    clearTimeout(this.#wakeUp);
    this.#underWay += this.#waiting.length;
    for (const go of this.#waiting.splice(0)) go();
  }

  async #waitForSlot(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#admit();
    await promise;
  }

  #admit(): void {
    const pause = this.#pace.pausedUntil - this.#now();
    if (pause > 0) {
      clearTimeout(this.#wakeUp);
      this.#wakeUp = setTimeout(() => this.#admit(), pause);
      return;
    }
    while (this.#underWay < this.#pace.concurrency && this.#waiting.length > 0) {
      this.#underWay++; // here and not where the caller wakes up: that is a microtask later
      this.#waiting.shift()!();
    }
  }
}
