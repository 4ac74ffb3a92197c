import { storableJson } from "@glovebox/domain";
import type { auditLog } from "./schema.ts";
import type { Database } from "../database/database.ts";

/** Who changes something, for the audit log. */
export interface Actor {
  readonly userId: string | null;
  /** The user's e-mail address. */
  readonly name: string;
  readonly ip: string | null;
  /** Null: no HTTP request. */
  readonly requestId: string | null;
}

/** Whoever runs the command line: it has the database, and no user. */
export const COMMAND_LINE: Actor = { userId: null, name: "command line", ip: null, requestId: null };

/** A user as who changes something. */
export const actorOf = (
  user: { readonly id: string; readonly email: string },
  { ip, requestId }: { readonly ip: string | null | undefined; readonly requestId: string },
): Actor => ({ userId: user.id, name: user.email, ip: ip ?? null, requestId });

export interface AuditEntry extends Readonly<typeof auditLog.$inferSelect> {
  /** Null: no one account, or one that was erased. */
  readonly accountName: string | null;
}

/** The actor as an argument of the SQL function write_audit. */
export const actorJson = (actor: Actor | undefined): string | null =>
  actor === undefined ? null : JSON.stringify(actor);

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

export type AuditStore = ReturnType<typeof auditStore>;

export function auditStore(database: Database) {
  return {
    /** Appends an entry; in the transaction of the change (`Store.transaction`), where one statement does not do both. */
    async write(actor: Actor, { accountId, action, subject, before, after }: Audited): Promise<void> {
      await database.run(
        (sql) => sql`
          select write_audit(${actorJson(actor)}::text::jsonb, ${accountId}, ${action}, ${subject},
            ${fieldsJson(before)}::text::jsonb, ${fieldsJson(after)}::text::jsonb, ${database.now()})`,
      );
    },

    /** Entries of an account, the newest first; of all accounts without one. */
    async list(accountId: string | undefined, { action, before, limit }: AuditFilter): Promise<AuditEntry[]> {
      const rows = await database.run(
        (sql) => sql<AuditEntry[]>`
          select l.id::float8 as id, at, account_id, a.name as account_name, user_id, actor, ip, request_id, action, subject,
            before, after
          from audit_log l left join accounts a on a.id = l.account_id
          where ${accountId === undefined ? sql`true` : sql`account_id = ${accountId}`}
            and ${before === undefined ? sql`true` : sql`l.id < ${before}`}
            and ${action === undefined ? sql`true` : sql`starts_with(action, ${action})`}
          order by l.id desc limit ${limit}`,
      );
      return [...rows];
    },
  };
}

const fieldsJson = (fields: AuditedFields | undefined): string | null =>
  fields === undefined ? null : storableJson(fields);
