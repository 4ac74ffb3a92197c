/** `limit` is the capacity, `remaining` the number of tokens left, `resetSeconds` the time until the next token. */
export interface Allowance {
  limit: number;
  allowed: boolean;
  remaining: number;
  resetSeconds: number;
}

/** A token bucket for each key, with a capacity and a refill rate. */
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
