import { FIRST_PACE, isWaitedFor, nextPace, startOf, type Observation } from "./pace.ts";

interface Waiting {
  readonly path: string;
  readonly start: () => void;
}

/**
 * Limits concurrency and rate of requests to what the target handles. Requests for a path that is paused take no slot. After
 * a lost connection no request starts until it is known what became of the target.
 */
export class Gate {
  #pace = FIRST_PACE;
  #inFlight = 0;
  #waiting: Waiting[] = [];
  /** Work that waits for its turn to run alone. */
  readonly #aloneNext: (() => void)[] = [];
  #isAlone = false;
  #isClosed = false;
  readonly #now: () => number;
  #wakeUp: NodeJS.Timeout | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Sends a request when the pace allows; `observe` receives the outcome. Where the connection is lost, the result is
   * `afterLoss`'s, which runs alone.
   */
  async pass<T>(
    path: string,
    request: () => Promise<T>,
    {
      observe,
      afterLoss,
    }: {
      readonly observe: (result: T | undefined, error: unknown) => Omit<Observation, "now" | "path">;
      readonly afterLoss: (error: unknown) => Promise<T>;
    },
  ): Promise<T> {
    await this.#waitForSlot(path);
    let settled: { readonly result: T } | { readonly error: unknown };
    try {
      settled = { result: await request() };
    } catch (error) {
      settled = { error };
    }
    const seen = "result" in settled ? observe(settled.result, undefined) : observe(undefined, settled.error);
    const turn = seen.isLost ? this.#turnAlone() : undefined; // before any other request can start
    this.#inFlight--;
    this.#pace = nextPace(this.#pace, { now: this.#now(), path, ...seen });
    this.#admit();
    if ("result" in settled) return settled.result;
    const { error } = settled;
    if (!turn) throw error;
    return this.#inTurn(turn, () => afterLoss(error));
  }

  /** Does work while no request is in flight; what it sends does not pass the gate. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turnAlone();
    this.#admit();
    return this.#inTurn(turn, work);
  }

  /** Whether requests for the path have to wait. */
  isPaused(path: string): boolean {
    return startOf(this.#pace, path) > this.#now();
  }

  /** Whether a request that the path has just throttled should be sent again. */
  isWaitedFor(path: string): boolean {
    return !this.#isClosed && isWaitedFor(this.#pace, path);
  }

  /** Releases waiting requests at the end of a scan. */
  close(): void {
    this.#isClosed = true;
    this.#admit();
  }

  #turnAlone(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#aloneNext.push(resolve);
    return promise;
  }

  async #inTurn<T>(turn: Promise<void>, work: () => Promise<T>): Promise<T> {
    await turn;
    try {
      return await work();
    } finally {
      this.#isAlone = false;
      this.#admit();
    }
  }

  async #waitForSlot(path: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ path, start: resolve });
    this.#admit();
    await promise;
  }

  /** Counts what starts here and not where the caller wakes up: that is a microtask later. */
  #admit(): void {
    clearTimeout(this.#wakeUp);
    if (this.#isClosed) return this.#admitAll();
    if (this.#isAlone) return;
    if (this.#aloneNext.length > 0) {
      if (this.#inFlight > 0) return;
      this.#isAlone = true;
      this.#aloneNext.shift()!();
      return;
    }
    const now = this.#now();
    const startsAt = ({ path }: Waiting): number => startOf(this.#pace, path);
    const held: Waiting[] = [];
    for (const waiting of this.#waiting) {
      if (this.#inFlight < this.#pace.concurrency && startsAt(waiting) <= now) {
        this.#inFlight++;
        waiting.start();
      } else held.push(waiting);
    }
    this.#waiting = held;
    const next = Math.min(...held.map(startsAt).filter((start) => start > now));
    if (next < Infinity) this.#wakeUp = setTimeout(() => this.#admit(), next - now);
  }

  #admitAll(): void {
    this.#inFlight += this.#waiting.length;
    for (const { start } of this.#waiting.splice(0)) start();
    for (const start of this.#aloneNext.splice(0)) start();
  }
}
