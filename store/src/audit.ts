import type { auditLog } from "./audit-schema.ts";
import type { Database } from "./database.ts";

/** Who changes something, for the audit log. */
export interface Actor {
  readonly userId: string | null;
  /** The user's e-mail address. */
  readonly name: string;
  readonly ip: string | null;
  readonly requestId: string;
}

export type AuditEntry = Readonly<typeof auditLog.$inferSelect>;

/** The actor as an argument of the SQL function write_audit. */
export const actorJson = (actor: Actor | undefined): string | null =>
  actor === undefined ? null : JSON.stringify(actor);

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
    /** Entries of an account, the newest first; of all accounts without one. */
    async list(accountId: string | undefined, { action, before, limit }: AuditFilter): Promise<AuditEntry[]> {
      const rows = await database.run(
        (sql) => sql<AuditEntry[]>`
          select id::float8 as id, at, account_id, user_id, actor, ip, request_id, action, subject, before, after
          from audit_log
          where ${accountId === undefined ? sql`true` : sql`account_id = ${accountId}`}
            and ${before === undefined ? sql`true` : sql`id < ${before}`}
            and ${action === undefined ? sql`true` : sql`starts_with(action, ${action})`}
          order by id desc limit ${limit}`,
      );
      return [...rows];
    },
  };
}
