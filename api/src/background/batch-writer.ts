export interface BatchWriterOptions<Value> {
  readonly write: (batch: ReadonlyMap<string, Value>) => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
  readonly everyMs: number;
}

/** Collects the latest value of each key and writes them in batches. Failed writes are repeated with the next batch. */
export class BatchWriter<Value> {
  readonly #options: BatchWriterOptions<Value>;
  readonly #timer: NodeJS.Timeout;
  #batch = new Map<string, Value>();

  constructor(options: BatchWriterOptions<Value>) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.everyMs).unref();
  }

  add(key: string, value: Value): void {
    this.#batch.set(key, value);
  }

  /** Never rejects. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.size === 0) return;
    this.#batch = new Map();
    try {
      await this.#options.write(batch);
    } catch (error) {
      this.#options.onFailure(error);
      this.#batch = new Map([...batch, ...this.#batch]);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
