import type { Explanation, Refusal } from "./world.ts";

/** Scans of which something is remembered; the oldest is forgotten first. */
const MOST_REMEMBERED = 10_000;

/**
 * What this controller remembers of scans between two looks at them, so as not to ask the API server again at every event.
 * Nothing is lost with it but such calls, and at most an attempt more or less.
 */
export class Memory {
  /** The attempt whose Job it made or saw last. */
  readonly jobs = new Remembered<number>();
  /** UID of the last Job that it saw, which may be gone and leave pods. */
  readonly jobUids = new Remembered<string>();
  /** What the API server refused last. */
  readonly refusals = new Remembered<Refusal>();
  /** What Kubernetes said last of why a pod is not there or does not start. */
  readonly explanations = new Remembered<Explanation>();
  /** Since when a condition of a pod is seen. */
  readonly conditions = new Lasting();
  /** When it was last told to delete something of the scan. */
  readonly deletions = new Remembered<Date>();
}

/** The last thing of its kind, by scan or by what else it is about. */
export class Remembered<T> {
  readonly #last = new Map<string, T>();

  of(subject: string): T | undefined {
    return this.#last.get(subject);
  }

  forget(subject: string): void {
    this.#last.delete(subject);
  }

  note(subject: string, what: T): void {
    this.#last.delete(subject);
    this.#last.set(subject, what);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST_REMEMBERED) this.#last.delete(oldest!);
  }
}

/** Since when something holds, by the time of this process alone: no clock that is set changes how long that is. */
export class Lasting {
  readonly #since = new Remembered<number>();

  /** For how long it was seen to hold without a gap, in milliseconds; undefined where it does not. */
  ageOf(what: string, holds: boolean, monotonic: number): number | undefined {
    if (!holds) return void this.#since.forget(what);
    const since = this.#since.of(what);
    if (since === undefined) this.#since.note(what, monotonic);
    return monotonic - (since ?? monotonic);
  }
}
