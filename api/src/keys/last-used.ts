import type { KeyStore } from "@glovebox/store";
import type { Logger } from "pino";

const FLUSH_MS = 10_000;

/** Notes when keys were used, and writes that down in batches. */
export class LastUsed {
  readonly #store: KeyStore;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  #noted = new Map<string, Date>();

  constructor(store: KeyStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  add(keyId: string, at: Date): void {
    this.#noted.set(keyId, at);
  }

  /** Never rejects: when the database is away, the next batch carries this one too. */
  async flush(): Promise<void> {
    const batch = this.#noted;
    if (batch.size === 0) return;
    this.#noted = new Map();
    try {
      await this.#store.touch(batch);
    } catch (error) {
      this.#logger.warn(
        { error: (error as Error).name },
        "The last use of keys could not be recorded; retrying",
      );
      this.#noted = new Map([...batch, ...this.#noted]);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
