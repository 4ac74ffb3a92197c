/** A bounded memory of values by key, each for a fixed time from when it was asked for; the oldest goes first. */
export class Recent<T> {
  readonly #ms: number;
  readonly #most: number;
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor({ ms, most }: { ms: number; most: number }) {
    this.#ms = ms;
    this.#most = most;
  }

  get(key: string, now: Date): { readonly value: T } | undefined {
    const entry = this.#entries.get(key);
    return entry && now.getTime() < entry.until ? entry : undefined;
  }

  set(key: string, value: T, askedAt: Date): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: askedAt.getTime() + this.#ms });
    if (this.#entries.size <= this.#most) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  deleteWhere(matches: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value)) this.#entries.delete(key);
  }
}
