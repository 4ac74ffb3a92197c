/**
 * Calls that all who ask at the same time share: one at a time for each key, and whoever asks while it is under way is
 * given the next, which begins after they asked.
 */
export class SharedCalls<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #next = new Map<string, Promise<T>>();

  share(key: string, call: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (!running) return this.#start(key, call);
    const next = this.#next.get(key) ?? this.#after(running, key, call);
    this.#next.set(key, next);
    return next;
  }

  async #after(running: Promise<T>, key: string, call: () => Promise<T>): Promise<T> {
    await running.catch(() => undefined);
    this.#next.delete(key);
    return this.#running.get(key) ?? this.#start(key, call);
  }

  #start(key: string, call: () => Promise<T>): Promise<T> {
    const running = call().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}
