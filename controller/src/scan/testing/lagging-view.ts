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

  get cached(): T {
    return this.#versions[this.#seen]!;
  }

  get isCurrent(): boolean {
    return this.#seen === this.#versions.length - 1;
  }

  /** The cache catches up by so many versions; those in between are passed over, as when events merge. */
  see(versions = Infinity): void {
    this.#seen = Math.min(this.#seen + versions, this.#versions.length - 1);
  }
}

/** AlreadyExists is success. */
export function create<T>(views: Map<number, LaggingView<T | undefined>>, attempt: number, value: T): void {
  const view = views.get(attempt) ?? new LaggingView<T | undefined>(undefined);
  views.set(attempt, view);
  if (view.live === undefined) view.live = value;
}
