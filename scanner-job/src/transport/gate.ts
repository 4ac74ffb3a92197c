import { FIRST_PACE, nextPace, type Observation, type Pace } from "./pace.ts";

/** Lets requests through at the pace that the target bears. */
export class Gate {
  #pace: Pace = FIRST_PACE;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #now: () => number;
  #wakeUp: NodeJS.Timeout | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs the request when the pace allows; `observe` says how it went. */
  async pass<T>(
    request: () => Promise<T>,
    observe: (result: T | undefined) => Omit<Observation, "now">,
  ): Promise<T> {
    await this.#turn();
    let result: T | undefined;
    try {
      result = await request();
      return result;
    } finally {
      this.#underWay--;
      this.#pace = nextPace(this.#pace, { now: this.#now(), ...observe(result) });
      this.#admit();
    }
  }

  /** Lets those go that still wait; for the end of a scan. */
  close(): void {
    clearTimeout(this.#wakeUp);
    this.#underWay += this.#waiting.length;
    for (const go of this.#waiting.splice(0)) go();
  }

  async #turn(): Promise<void> {
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
