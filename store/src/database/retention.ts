import type { Plan } from "@glovebox/contract";
import type { Database } from "./database.ts";

/** How many days data is kept. */
export interface RetentionPolicy {
  /** Ended scans and their reports, by the plan that their account has now. */
  readonly scanDays: Readonly<Record<Plan, number>>;
  /** Usage of past months, counted from the end of the month; targets and their findings, from the end of their last scan. */
  readonly usageDays: number;
  /** Deliveries to webhooks, counted from their event. */
  readonly deliveryDays: number;
  /** Entries of the audit log. */
  readonly auditDays: number;
}

export type RetentionKind =
  | "scans"
  | "idempotencyKeys"
  | "usage"
  | "targets"
  | "sessions"
  | "invitations"
  | "challenges"
  | "webhookDeliveries"
  | "auditEntries";

/** Deletes expired rows, by the clock of PostgreSQL. */
export class RetentionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Deletes at most this many rows of this kind in one short transaction that no submission waits for; returns how many.
   * Scans that have not ended are never deleted.
   */
  async deleteBatch(kind: RetentionKind, policy: RetentionPolicy, limit: number): Promise<number> {
    const now = this.#database.now();
    const scanDays = JSON.stringify(policy.scanDays);
    const [row] = await this.#database.run((sql) => {
      const deletions = {
        scans: sql`delete_old_scans(${scanDays}::text::jsonb, ${now}, ${limit})`,
        idempotencyKeys: sql`delete_old_idempotency_keys(${now}, ${limit})`,
        usage: sql`delete_old_usage(${policy.usageDays}, ${now}, ${limit})`,
        targets: sql`delete_old_targets(${policy.usageDays}, ${now}, ${limit})`,
        sessions: sql`delete_old_sessions(${now}, ${limit})`,
        invitations: sql`delete_old_invitations(${now}, ${limit})`,
        challenges: sql`delete_old_challenges(${now}, ${limit})`,
        webhookDeliveries: sql`delete_old_webhook_deliveries(${policy.deliveryDays}, ${now}, ${limit})`,
        auditEntries: sql`delete_old_audit_entries(${policy.auditDays}, ${now}, ${limit})`,
      };
      return sql<[{ deleted: number }]>`select ${deletions[kind]} as deleted`;
    });
    return row.deleted;
  }
}
