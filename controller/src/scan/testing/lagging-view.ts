/** A thing as the API server has it, all it ever was, and how far a cache has come in seeing that. Never goes back. */
export class LaggingView<T> {
  readonly #versions: T[];
  #seen = 0;

  constructor(first: T) {
    this.#versions = [first];
  }

  get live(): T {
    return this.#versions.at(-1)!;
  }

  set live(value: T) {
    this.#versions.push(value);
  }

  /** All that it ever was, in order. */
  get history(): readonly T[] {
    return this.#versions;
  }

  get cached(): T {
    return this.#versions[this.#seen]!;
  }

  /** The cache catches up by this many versions; the ones in between are passed over, as when events merge. */
  see(versions = Infinity): void {
    this.#seen = Math.min(this.#seen + versions, this.#versions.length - 1);
  }
}
