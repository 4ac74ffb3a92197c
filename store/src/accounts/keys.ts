import { MAX_ACTIVE_KEYS, type Scope } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import { databaseErrorCode } from "../database/unavailable.ts";
import { lockAccount, type Account } from "./accounts.ts";
import type { StoreEvent } from "../database/events.ts";
import type { keys } from "./schema.ts";

type Columns = Readonly<typeof keys.$inferSelect>;

/** The account and key of an authenticated request. Without scopes, the key may do everything. */
export interface Principal extends Pick<Columns, "expiresAt"> {
  readonly keyId: string;
  readonly keyName: string;
  readonly account: Account;
  readonly scopes: readonly Scope[];
}

/** A key without its hash, for display. Without scopes, it may do everything. */
export type KeyRow = Pick<
  Columns,
  "id" | "name" | "scopes" | "createdAt" | "expiresAt" | "lastUsedAt" | "revokedAt"
>;

export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  /** Hash of the key, in hex. */
  readonly sha256: string;
  readonly scopes?: readonly Scope[] | undefined;
  readonly expiresAt?: Date | undefined;
}

export interface KeyRotation extends Pick<NewKey, "accountId" | "sha256"> {
  /** The key that is replaced. */
  readonly keyId: string;
  /** How long it stays valid. */
  readonly graceHours: number;
}

/** What may change of a key that is declared again. */
type KeyTerms = Pick<Columns, "name" | "scopes" | "expiresAt">;

interface DeclaredKey {
  readonly keyId: string;
  /** Undefined: there was none of this hash. */
  readonly before: KeyTerms | undefined;
  readonly after: KeyTerms;
}

interface RotatedKey {
  /** The new key. */
  readonly keyId: string;
  readonly name: string;
  readonly oldExpiresAt: Date | null;
  readonly oldEndsAt: Date;
}

interface RevokedKey {
  readonly accountId: string;
  readonly name: string;
  readonly wasRevoked: boolean;
}

/** A key cannot be stored; the message names neither the key nor the account. */
export class KeyRefused extends Error {
  override readonly name = "KeyRefused";
  readonly reason: keyof typeof REFUSALS;

  constructor(reason: KeyRefused["reason"], options?: ErrorOptions) {
    super(REFUSALS[reason], options);
    this.reason = reason;
  }
}

const REFUSALS = {
  otherAccount: "is already the key of another account",
  unknownAccount: "belongs to an account that does not exist",
  tooMany: `is one more than the ${MAX_ACTIVE_KEYS} active keys that an account may have; revoke one first`,
};

export class KeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** As `declare`. @throws KeyRefused also when the account has `MAX_ACTIVE_KEYS` */
  add(key: NewKey): Promise<DeclaredKey> {
    return this.#database.transaction(async (transaction) => {
      const added = await new KeyStore(transaction).declare(key);
      await requireRoom(transaction, key.accountId);
      return added;
    });
  }

  /**
   * Stores the hash of a key. The same hash again, in the same account, changes only its name, scopes and expiry.
   * @throws KeyRefused when it is another account's, or there is no such account
   */
  declare(key: NewKey): Promise<DeclaredKey> {
    return this.#database.transaction(async (transaction) => {
      const { accountId, name, sha256, scopes = [], expiresAt = null } = key;
      await lockAccount(transaction, accountId);
      const [before] = await transaction.run(
        (sql) => sql<KeyTerms[]>`
          select name, scopes, expires_at from keys where sha256 = ${sha256} and account_id = ${accountId}`,
      );
      const [declared] = await transaction
        .run(
          (sql) => sql<(KeyTerms & { readonly keyId: string })[]>`
            insert into keys (account_id, name, sha256, scopes, expires_at)
            values (${accountId}, ${name}, ${sha256}, ${[...scopes]}::text[], ${expiresAt})
            on conflict (sha256) do update
              set name = excluded.name, scopes = excluded.scopes, expires_at = excluded.expires_at
              where keys.account_id = excluded.account_id
            returning id as key_id, name, scopes, expires_at`,
        )
        .catch(refuseUnknownAccount);
      if (!declared) throw new KeyRefused("otherAccount");
      const { keyId, ...after } = declared;
      return { keyId, before: before && { ...before }, after };
    });
  }

  /**
   * Adds a key with the name, scopes and lifetime of another of the account, which is valid for `graceHours` more. Undefined:
   * the account has no such valid key.
   * @throws KeyRefused when the account would have more than `MAX_ACTIVE_KEYS`
   */
  rotate(rotation: KeyRotation): Promise<RotatedKey | undefined> {
    return this.#database.transaction(async (transaction) => {
      const { accountId, keyId, sha256, graceHours } = rotation;
      await lockAccount(transaction, accountId);
      const event: StoreEvent = { type: "keyRevoked", keyId }; // caches read its new expiry
      const [rotated] = await transaction.run(
        (sql) => sql<RotatedKey[]>`
          with at as (
            -- As precise as the column: rounded up, it would lie in the future.
            select date_trunc('milliseconds', coalesce(${transaction.now()}::timestamptz, now())) as moment
          ), old as (
            select keys.*, least(expires_at, moment + make_interval(hours => ${graceHours})) as ends_at, moment
            from keys, at where id = ${keyId} and account_id = ${accountId} and revoked_at is null
              and (expires_at is null or expires_at > moment)
            for update of keys
          ), ended as (
            update keys set expires_at = ends_at from old where keys.id = old.id
          ), added as (
            insert into keys (account_id, name, sha256, scopes, expires_at)
            select account_id, name, ${sha256}, scopes, moment + (expires_at - created_at) from old returning *
          ), announced as (select pg_notify('glovebox', ${JSON.stringify(event)}) from old)
          select added.id as key_id, added.name, old.expires_at as old_expires_at, old.ends_at as old_ends_at
          from added, old, announced`,
      );
      if (rotated) await requireRoom(transaction, accountId);
      return rotated && { ...rotated };
    });
  }

  /** The principal of the key; undefined if it is unknown, revoked or expired. */
  async findByHash(sha256: string): Promise<Principal | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<(Account & Omit<Principal, "account">)[]>`
        select k.id as key_id, k.name as key_name, k.scopes, k.expires_at, a.id, a.name, a.plan, a.owner,
          a.requests_per_minute, a.scans_per_month, a.active_mode, a.suspended_at
        from keys k join accounts a on a.id = k.account_id
        where k.sha256 = ${sha256} and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > coalesce(${this.#database.now()}::timestamptz, now()))`,
    );
    if (!found) return undefined;
    const { keyId, keyName, scopes, expiresAt, ...account } = found;
    return { keyId, keyName, account, scopes, expiresAt };
  }

  /** Every key of an account, the oldest first, also those revoked and expired. */
  async list(accountId: string): Promise<KeyRow[]> {
    const rows = await this.#database.run(
      (sql) => sql<KeyRow[]>`
        select id, name, scopes, created_at, expires_at, last_used_at, revoked_at from keys
        where account_id = ${accountId} order by created_at, id`,
    );
    return [...rows];
  }

  /** Revokes the key, of this account where one is given, and announces it to `events`. Undefined: there is no such key. */
  async revoke(keyId: string, accountId?: string): Promise<RevokedKey | undefined> {
    const event: StoreEvent = { type: "keyRevoked", keyId };
    const [revoked] = await this.#database.run(
      (sql) => sql<RevokedKey[]>`
        with old as (
          select id, revoked_at from keys
          where id = ${keyId} and account_id = coalesce(${accountId ?? null}::uuid, account_id) for update
        ), revoked as (
          update keys set revoked_at = coalesce(keys.revoked_at, ${this.#database.now()}::timestamptz, now())
          from old where keys.id = old.id
          returning keys.account_id, keys.name, old.revoked_at is not null as was_revoked
        ), announced as (select pg_notify('glovebox', ${JSON.stringify(event)}) from revoked)
        select revoked.* from revoked, announced`,
    );
    return revoked && { ...revoked };
  }

  /** Records when keys were last used, by their ids. */
  async touch(lastUsed: ReadonlyMap<string, Date>): Promise<void> {
    const uses = JSON.stringify([...lastUsed].map(([id, at]) => ({ id, at })));
    await this.#database.run(
      (sql) => sql`
        update keys set last_used_at = greatest(last_used_at, used.at)
        from json_to_recordset(${uses}::text::json) as used(id uuid, at timestamptz) where keys.id = used.id`,
    );
  }
}

/** After a key was added, in its transaction: more than the limit take it back. */
async function requireRoom(transaction: Database, accountId: string): Promise<void> {
  const [{ active }] = await transaction.run(
    (sql) => sql<[{ active: number }]>`
      select count(*)::integer as active from keys where account_id = ${accountId} and revoked_at is null
        and (expires_at is null or expires_at > coalesce(${transaction.now()}::timestamptz, now()))`,
  );
  if (active > MAX_ACTIVE_KEYS) throw new KeyRefused("tooMany");
}

const FOREIGN_KEY_VIOLATION = "23503";

function refuseUnknownAccount(error: unknown): never {
  throw databaseErrorCode(error) === FOREIGN_KEY_VIOLATION
    ? new KeyRefused("unknownAccount", { cause: error })
    : error;
}
