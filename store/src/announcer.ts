import type { Database } from "./database.ts";
import type { StoreEvent } from "./store.ts";

const BATCH = 100;

/**
 * Sends hints that need not be part of the transaction they are about. A NOTIFY inside a transaction makes all commits
 * of the server wait for each other, which submissions cannot afford; these are sent right after, many at once.
 */
export class Announcer {
  readonly #database: Database;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  announce(event: StoreEvent): void {
    this.#waiting.push(JSON.stringify(event));
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
  }

  /** Resolves when all that was announced has been sent. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = JSON.stringify(this.#waiting.splice(0, BATCH));
      await this.#database
        .run(
          ({ sql }) =>
            sql`select pg_notify('glovebox', hint) from json_array_elements_text(${batch}::text::json) hint`,
        )
        .catch(() => {}); // a hint: who waits for it also looks now and then
    }
  }
}
