import type { PendingQuery, Row, Sql } from "postgres";
import type { Database } from "./database.ts";
import type { RetentionKind, RetentionPolicy, RetentionStore } from "./store.ts";

/** Deletes by functions of the database, one for each kind. */
export function retentionStore(database: Database): RetentionStore {
  return {
    async deleteBatch(kind, policy, limit) {
      const [row] = await database.run(
        ({ sql }) => sql<[{ deleted: number }]>`
          select ${deletions(sql, database.now(), { policy, limit })[kind]} as deleted`,
      );
      return row.deleted;
    },
  };
}

type Deletions = Record<RetentionKind, PendingQuery<Row[]>>;

const deletions = (
  sql: Sql,
  now: string | null,
  { policy, limit }: { policy: RetentionPolicy; limit: number },
): Deletions => ({
  scans: sql`delete_old_scans(${JSON.stringify(policy.scanDays)}::text::jsonb, ${now}, ${limit})`,
  idempotencyKeys: sql`delete_old_idempotency_keys(${now}, ${limit})`,
  usage: sql`delete_old_usage(${policy.usageDays}, ${now}, ${limit})`,
});
