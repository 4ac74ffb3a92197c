import { storableJson } from "@glovebox/domain";
import type { auditLog } from "./schema.ts";
import type { Database } from "../database/database.ts";

/** Who changes something, for the audit log. */
export interface Actor {
  readonly userId: string | null;
  readonly keyId: string | null;
  /** The user's e-mail address, the name of the API key, or the part of the service that acts by itself. */
  readonly name: string;
  readonly ip: string | null;
  /** Null: no HTTP request. */
  readonly requestId: string | null;
}

interface HttpRequest {
  readonly ip: string | null | undefined;
  readonly requestId: string;
}

/** A part of the service that acts by itself. */
export const serviceActor = (name: string): Actor => ({
  ...{ userId: null, keyId: null, name, ip: null, requestId: null },
});

/** Whoever runs the command line: it has the database, and no user. */
export const COMMAND_LINE = serviceActor("command line");

/** A user as who changes something. */
export const actorOf = (
  user: { readonly id: string; readonly email: string },
  { ip, requestId }: HttpRequest,
): Actor => ({ userId: user.id, keyId: null, name: user.email, ip: ip ?? null, requestId });

/** A client with an API key, as who changes something. */
export const apiKeyActor = (
  { keyId, keyName }: { readonly keyId: string; readonly keyName: string },
  { ip, requestId }: HttpRequest,
): Actor => ({ userId: null, keyId, name: `API key ${keyName}`, ip: ip ?? null, requestId });

/** Somebody who has not signed in, of whom an attempt is recorded. */
export const visitorActor = ({ ip, requestId }: HttpRequest): Actor => ({
  ...{ userId: null, keyId: null, name: "not signed in", ip: ip ?? null, requestId },
});

export interface AuditEntry extends Readonly<typeof auditLog.$inferSelect> {
  /** Null: no one account, or one that was deleted. */
  readonly accountName: string | null;
}

/** The actor as an argument of the SQL function write_audit. */
export const actorJson = (actor: Actor): string => JSON.stringify(actor);

/** What was changed. Never a secret. */
export interface Audited {
  /** Null: no one account. */
  readonly accountId: string | null;
  /** Such as `member.remove`. */
  readonly action: string;
  /** Name or id of what was changed. */
  readonly subject: string;
  /** The fields that changed; absent of what did not exist before, or no longer does. */
  readonly before?: AuditedFields | undefined;
  readonly after?: AuditedFields | undefined;
}

type AuditedFields = Readonly<Record<string, unknown>>;

export interface AuditFilter {
  /** The beginning of the action, such as `key.` */
  readonly action?: string | undefined;
  /** Entries with a smaller id only: the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export class AuditStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Entries of an account, the newest first; of all accounts without one. */
  async list(accountId: string | undefined, { action, before, limit }: AuditFilter): Promise<AuditEntry[]> {
    const rows = await this.#database.run(
      (sql) => sql<AuditEntry[]>`
          select l.id::float8 as id, at, account_id, a.name as account_name, user_id, key_id, actor, ip, request_id, action, subject,
            before, after
          from audit_log l left join accounts a on a.id = l.account_id
          where ${accountId === undefined ? sql`true` : sql`account_id = ${accountId}`}
            and ${before === undefined ? sql`true` : sql`l.id < ${before}`}
            and ${action === undefined ? sql`true` : sql`starts_with(action, ${action})`}
          order by l.id desc limit ${limit}`,
    );
    return [...rows];
  }
}

/** Appends an entry to the audit log. For `Store.changing` alone, which does so in the transaction of the change. */
export async function appendEntry(database: Database, actor: Actor, entry: Audited): Promise<void> {
  const { accountId, action, subject, before, after } = entry;
  await database.run(
    (sql) => sql`
      select write_audit(${actorJson(actor)}::text::jsonb, ${accountId}, ${action}, ${subject},
        ${fieldsJson(before)}::text::jsonb, ${fieldsJson(after)}::text::jsonb, ${database.now()})`,
  );
}

const fieldsJson = (fields: AuditedFields | undefined): string | null =>
  fields === undefined ? null : storableJson(fields);
