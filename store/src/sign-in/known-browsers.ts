import type { Database } from "../database/database.ts";

const DAYS = 180;

/** Browsers in which users have signed in, by the SHA-256 of the token in the cookie. */
export class KnownBrowserStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** For 180 days from now. */
  async add(sha256: string, userId: string): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          insert into known_browsers (sha256, user_id, expires_at)
          values (${sha256}, ${userId}, coalesce(${this.#database.now()}::timestamptz, now()) + make_interval(days => ${DAYS}))
          on conflict (sha256, user_id) do update set expires_at = excluded.expires_at`,
    );
  }

  /** Whether the user has signed in with this browser; null: nobody has. */
  async has(sha256: string, userId: string | null): Promise<boolean> {
    const found = await this.#database.run(
      (sql) => sql`
          select from known_browsers where sha256 = ${sha256} and user_id = ${userId}
            and expires_at > coalesce(${this.#database.now()}::timestamptz, now())`,
    );
    return found.length > 0;
  }
}
