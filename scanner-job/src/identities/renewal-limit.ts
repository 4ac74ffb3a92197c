/** Sign-ins and refreshes in any such time. */
const MAX_RENEWALS = 30;
const WINDOW_MS = 150_000;

/**
 * Limits how often a session is renewed: an API that refuses whom it has signed in would be asked without end, and one whose tokens live
 * for seconds must be asked as long as the scan lasts.
 */
export class RenewalLimit {
  readonly #now: () => number;
  #renewals: readonly number[] = [];

  /** @param now monotonic milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isReached(): boolean {
    return this.#recent.length >= MAX_RENEWALS;
  }

  /** Notes a renewal. */
  count(): void {
    this.#renewals = [...this.#recent, this.#now()];
  }

  get #recent(): readonly number[] {
    return this.#renewals.filter((at) => this.#now() - at < WINDOW_MS);
  }
}
