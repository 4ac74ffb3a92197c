import type { Database } from "../database/database.ts";
import type { challenges, passkeys } from "./schema.ts";

export type Passkey = Readonly<typeof passkeys.$inferSelect>;

export type Challenge = Readonly<Pick<typeof challenges.$inferSelect, "userId" | "purpose" | "challenge">>;

/** The passkeys of users, and the challenges of their browsers. */
export class PasskeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Of one user, the oldest first. */
  async list(userId: string): Promise<Passkey[]> {
    const rows = await this.#database.run(
      (sql) => sql<Passkey[]>`
          select id, user_id, name, public_key, counter::float8 as counter, transports, created_at, last_used_at
          from passkeys where user_id = ${userId} order by created_at, id`,
    );
    return [...rows];
  }

  /** False: it is registered already. */
  async add(passkey: Omit<Passkey, "createdAt" | "lastUsedAt">): Promise<boolean> {
    const { id, userId, name, publicKey, counter, transports } = passkey;
    const added = await this.#database.run(
      (sql) => sql`
          insert into passkeys (id, user_id, name, public_key, counter, transports)
          values (${id}, ${userId}, ${name}, ${publicKey}, ${counter}, ${transports}::text[])
          on conflict (id) do nothing returning 1`,
    );
    return added.length > 0;
  }

  /** Records a use and the counter that came with it. */
  async used(id: string, counter: number): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          update passkeys set counter = ${counter}, last_used_at = coalesce(${this.#database.now()}::timestamptz, now())
          where id = ${id}`,
    );
  }

  /** The name of what was removed; undefined: the user has no such passkey. */
  async remove(userId: string, id: string): Promise<string | undefined> {
    const [removed] = await this.#database.run(
      (sql) => sql<{ name: string }[]>`
          delete from passkeys where id = ${id} and user_id = ${userId} returning name`,
    );
    return removed?.name;
  }

  /** For a user who has lost them; signs the user out everywhere. Returns how many there were. */
  async removeAll(userId: string): Promise<number> {
    const removed = await this.#database.run(
      (sql) => sql`
          with removed as (delete from passkeys where user_id = ${userId} returning user_id),
          ended as (delete from sessions where user_id in (select user_id from removed))
          select 1 from removed`,
    );
    return removed.length;
  }

  /** Stores a challenge for ten minutes, by the SHA-256 of the token in the browser's cookie. */
  async challenge(sha256: string, { userId, purpose, challenge }: Challenge): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          insert into challenges (sha256, user_id, purpose, challenge, expires_at)
          values (${sha256}, ${userId}, ${purpose}, ${challenge},
            coalesce(${this.#database.now()}::timestamptz, now()) + interval '10 minutes')`,
    );
  }

  /** The challenge, once; undefined when it is unknown, used or expired, or its user is disabled. */
  async takeChallenge(sha256: string, purpose: Challenge["purpose"]): Promise<Challenge | undefined> {
    const [taken] = await this.#database.run(
      (sql) => sql<Challenge[]>`
          delete from challenges c using users u
          where c.sha256 = ${sha256} and c.purpose = ${purpose} and u.id = c.user_id and u.disabled_at is null
            and c.expires_at > coalesce(${this.#database.now()}::timestamptz, now())
          returning c.user_id, c.purpose, c.challenge`,
    );
    return taken && { ...taken };
  }
}
