/** A bounded cache; entries expire after a fixed time, and the oldest is evicted first. */
export class ExpiringCache<T> {
  readonly #ms: number;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor({ ms, maxEntries }: { ms: number; maxEntries: number }) {
    this.#ms = ms;
    this.#maxEntries = maxEntries;
  }

  get(key: string, now: Date): { readonly value: T } | undefined {
    const entry = this.#entries.get(key);
    return entry && now.getTime() < entry.until ? entry : undefined;
  }

  set(key: string, value: T, askedAt: Date): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: askedAt.getTime() + this.#ms });
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  deleteWhere(matches: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value)) this.#entries.delete(key);
  }
}
