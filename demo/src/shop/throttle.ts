const MAX_FAILURES = 5;
const LOCK_MS = 60_000;

/** Refuses an account for a minute after five failures from one client address, so that no other caller is locked out. */
export class SignInThrottle {
  readonly #now: () => number;
  readonly #failures = new Map<string, { count: number; lastAt: number }>();

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds until the next attempt; 0 if it may be made now. */
  secondsLeft(key: string): number {
    const { count, lastAt } = this.#recent(key);
    return count < MAX_FAILURES ? 0 : Math.ceil((lastAt + LOCK_MS - this.#now()) / 1000);
  }

  failed(key: string): void {
    this.#failures.set(key, { count: this.#recent(key).count + 1, lastAt: this.#now() });
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  #recent(key: string): { count: number; lastAt: number } {
    const failures = this.#failures.get(key);
    return failures && this.#now() < failures.lastAt + LOCK_MS ? failures : { count: 0, lastAt: 0 };
  }
}
