import type { Database } from "../database/database.ts";

/** What providers said of somebody who has not confirmed yet what it is for, by the SHA-256 of the token in the browser's cookie. */
export class ProviderResponseStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Keeps the response for ten minutes. */
  async put(sha256: string, response: object): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          insert into provider_answers (sha256, answer, expires_at)
          values (${sha256}, ${JSON.stringify(response)}, coalesce(${this.#database.now()}::timestamptz, now()) + interval '10 minutes')`,
    );
  }

  /** The response, once; undefined when it is unknown, used or expired. */
  async take(sha256: string): Promise<unknown> {
    const [taken] = await this.#database.run(
      (sql) => sql<{ answer: string }[]>`
          delete from provider_answers
          where sha256 = ${sha256} and expires_at > coalesce(${this.#database.now()}::timestamptz, now()) returning answer`,
    );
    return taken && JSON.parse(taken.answer);
  }
}
