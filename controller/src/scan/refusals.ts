import type { Refusal } from "./world.ts";

/** Scans of which it is remembered that something of theirs was refused; the oldest is forgotten first. */
const MOST_REMEMBERED = 10_000;

/** What the API server refused last, by scan: so that it is not asked again at every event. */
export class Refusals {
  readonly #last = new Map<string, Refusal>();

  of(scanId: string): Refusal | undefined {
    return this.#last.get(scanId);
  }

  note(scanId: string, refusal: Refusal): void {
    this.#last.delete(scanId);
    this.#last.set(scanId, refusal);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST_REMEMBERED) this.#last.delete(oldest!);
  }
}
