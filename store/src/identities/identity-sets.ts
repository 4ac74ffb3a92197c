import { randomUUID } from "node:crypto";
import { MAX_IDENTITY_SETS, identitySummary, type IdentitiesFile } from "@glovebox/contract";
import { lockAccount } from "../accounts/accounts.ts";
import type { Database } from "../database/database.ts";
import type { CiphertextOwner, IdentityKeys } from "./identity-keys.ts";
import type { identitySets } from "./schema.ts";

/** A saved set without its secrets. */
export type IdentitySetRow = Readonly<Omit<typeof identitySets.$inferSelect, "accountId" | "ciphertext">>;

/** By which an account names a set. */
export type IdentitySetKey = Pick<IdentitySetRow, "origin" | "name">;

const COLUMNS = `id, name, origin, summary, saved_at`;

/** Identities that an account has saved for its targets. */
export class IdentitySetStore {
  readonly #database: Database;
  readonly #keys: IdentityKeys | undefined;

  constructor(database: Database, keys: IdentityKeys | undefined) {
    this.#database = database;
    this.#keys = keys;
  }

  /** By target and name. */
  list(accountId: string): Promise<IdentitySetRow[]> {
    return this.#database.run(
      (sql) => sql<IdentitySetRow[]>`
        select ${sql.unsafe(COLUMNS)} from identity_sets where account_id = ${accountId} order by origin, name`,
    );
  }

  /** Replaces the set of the same name and target, if there is one; undefined when the account has `MAX_IDENTITY_SETS` others. */
  async save(
    accountId: string,
    { name, origin }: IdentitySetKey,
    file: IdentitiesFile,
  ): Promise<IdentitySetRow | undefined> {
    const keys = this.#requireKeys();
    const summary = JSON.stringify(file.identities.map(identitySummary));
    return this.#database.transaction(async (transaction) => {
      await lockAccount(transaction, accountId);
      const [earlier] = await transaction.run(
        (sql) => sql<{ id: string }[]>`
          select id from identity_sets where account_id = ${accountId} and origin = ${origin} and name = ${name}`,
      );
      const id = earlier?.id ?? randomUUID();
      const ciphertext = keys.encrypt(JSON.stringify(file), ownerOfSet({ id, accountId, origin }));
      const [saved] = await transaction.run(
        (sql) => sql<IdentitySetRow[]>`
          insert into identity_sets (id, account_id, name, origin, summary, ciphertext, saved_at)
          select ${id}, ${accountId}, ${name}, ${origin}, ${summary}::text::jsonb, ${ciphertext},
            coalesce(${this.#database.now()}::timestamptz, now())
          where (select count(*) from identity_sets where account_id = ${accountId} and id <> ${id}) < ${MAX_IDENTITY_SETS}
          on conflict (id) do update
            set summary = excluded.summary, ciphertext = excluded.ciphertext, saved_at = excluded.saved_at
          returning ${sql.unsafe(COLUMNS)}`,
      );
      return saved;
    });
  }

  /**
   * With its secrets; undefined: no such set.
   * @throws IdentitiesUnreadable when no key decrypts them
   */
  async get(accountId: string, { origin, name }: IdentitySetKey): Promise<IdentitiesFile | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<{ id: string; ciphertext: string }[]>`
        select id, ciphertext from identity_sets
        where account_id = ${accountId} and origin = ${origin} and name = ${name}`,
    );
    if (!found) return undefined;
    const { id, ciphertext } = found;
    const text = this.#requireKeys().decrypt(ciphertext, ownerOfSet({ id, accountId, origin }));
    return JSON.parse(text) as IdentitiesFile;
  }

  /** What was deleted; undefined: no such set. */
  async delete(accountId: string, id: string): Promise<IdentitySetRow | undefined> {
    const [deleted] = await this.#database.run(
      (sql) => sql<IdentitySetRow[]>`
        delete from identity_sets where account_id = ${accountId} and id = ${id} returning ${sql.unsafe(COLUMNS)}`,
    );
    return deleted;
  }

  #requireKeys(): IdentityKeys {
    if (!this.#keys) throw new Error("Identities cannot be stored or read without a key");
    return this.#keys;
  }
}

export const ownerOfSet = (set: Omit<CiphertextOwner, "kind">): CiphertextOwner => ({ kind: "set", ...set });
