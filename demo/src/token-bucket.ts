/** `limit` is what is allowed at once, `remaining` what is left at once; `resetSeconds` is when one more may be taken. */
export interface Allowance {
  limit: number;
  allowed: boolean;
  remaining: number;
  resetSeconds: number;
}

/** A token bucket for each key: `capacity` at once, refilled evenly at `perSecond`. */
export class TokenBuckets {
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { level: number; at: number }>();

  constructor({ capacity, perSecond, now }: { capacity: number; perSecond: number; now: () => number }) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  take(key: string): Allowance {
    const at = this.#now();
    const bucket = this.#buckets.get(key) ?? { level: this.#capacity, at };
    const level = Math.min(this.#capacity, bucket.level + ((at - bucket.at) / 1000) * this.#perSecond);
    const allowed = level >= 1;
    const left = allowed ? level - 1 : level;
    this.#buckets.set(key, { level: left, at });
    const missing = Math.max(0, 1 - left);
    return {
      limit: this.#capacity,
      allowed,
      remaining: Math.floor(left),
      resetSeconds: Math.ceil(missing / this.#perSecond),
    };
  }
}
