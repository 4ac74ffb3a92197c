import type { Scope } from "@glovebox/contract";
import { KeyRefused } from "./key-refused.ts";
import { codeOf } from "./unavailable.ts";
import type { Database } from "./database.ts";
import { keys } from "./schema.ts";
import { asc, eq } from "drizzle-orm";
import type { Account, KeyHolder, KeyRow, KeyStore, StoreEvent } from "./store.ts";

export function keyStore(database: Database): KeyStore {
  return {
    async add({ accountId, name, sha256, scopes = [], expiresAt = null }) {
      const terms = { name, scopes: [...scopes], expiresAt };
      const [key] = await database
        .run(({ orm }) =>
          orm
            .insert(keys)
            .values({ accountId, sha256, ...terms })
            .onConflictDoUpdate({ target: keys.sha256, set: terms, setWhere: eq(keys.accountId, accountId) })
            .returning({ keyId: keys.id }),
        )
        .catch(refuseUnknownAccount);
      if (!key) throw new KeyRefused("otherAccount");
      return key;
    },

    async findByHash(sha256) {
      const [found] = await database.run(
        ({ sql }) => sql<HolderRecord[]>`
          select k.id as "keyId", k.scopes, k.expires_at as "expiresAt", a.id, a.name, a.plan, a.owner,
            a.requests_per_minute as "requestsPerMinute"
          from keys k join accounts a on a.id = k.account_id
          where k.sha256 = ${sha256} and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > coalesce(${database.now()}::timestamptz, now()))`,
      );
      return found && toHolder(found);
    },

    list: (accountId) => listKeys(database, accountId),

    async revoke(keyId) {
      const event: StoreEvent = { type: "keyRevoked", keyId };
      const told = await database.run(
        ({ sql }) => sql`
          with revoked as (
            update keys set revoked_at = coalesce(revoked_at, ${database.now()}::timestamptz, now())
            where id = ${keyId} returning id
          ) select pg_notify('glovebox', ${JSON.stringify(event)}) from revoked`,
      );
      return told.length > 0;
    },

    async touch(lastUsed) {
      const uses = JSON.stringify([...lastUsed].map(([id, at]) => ({ id, at })));
      await database.run(
        ({ sql }) => sql`
          update keys set last_used_at = greatest(last_used_at, used.at)
          from json_to_recordset(${uses}::text::json) as used(id uuid, at timestamptz) where keys.id = used.id`,
      );
    },
  };
}

function refuseUnknownAccount(error: unknown): never {
  throw codeOf(error) === FOREIGN_KEY_VIOLATION ? new KeyRefused("unknownAccount", { cause: error }) : error;
}

const FOREIGN_KEY_VIOLATION = "23503";

function listKeys(database: Database, accountId: string): Promise<KeyRow[]> {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = keys;
  const shown = { id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt };
  return database.run(({ orm }) =>
    orm.select(shown).from(keys).where(eq(keys.accountId, accountId)).orderBy(asc(createdAt), asc(id)),
  );
}

type HolderRecord = Account & { keyId: string; scopes: Scope[]; expiresAt: string | null };

function toHolder({ keyId, scopes, expiresAt, ...account }: HolderRecord): KeyHolder {
  return { keyId, account, scopes, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}
