import { sql } from "drizzle-orm";
import {
  bigint,
  char,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import type {
  Grade,
  IsolationCause,
  NotedWrite,
  ScanContext,
  ScanFailureCode,
  ScanState,
} from "@glovebox/contract";
import { accountId } from "../accounts/schema.ts";
import { moment } from "../database/schema.ts";

export const scans = pgTable(
  "scans",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    url: text("url").notNull(),
    specUrl: text("spec_url"),
    context: text("context").$type<ScanContext>(),
    /** Which operations are called and which are not; null: not limited. */
    include: text("include").array(),
    exclude: text("exclude").array(),
    /** Of the identities that it was submitted with, which are in `scan_identities` until it ends; null: none. */
    identityNames: text("identity_names").array(),
    /** Null: `safe`. */
    mode: text("mode").$type<"active">(),
    /** Of an active scan that has not ended: what the passwords and the marker of its users derive from. */
    seed: text("seed"),
    status: text("status").$type<ScanState>().notNull().default("processing"),
    createdAt: moment("created_at").notNull(),
    /** When it completed or failed. */
    endedAt: moment("ended_at"),
    progressDone: integer("progress_done").notNull().default(0),
    progressPlanned: integer("progress_planned").notNull().default(0),
    failureCode: text("failure_code").$type<ScanFailureCode>(),
    failureMessage: text("failure_message"),
    /** Of `isolation_not_proven`: why not; null in rows of older releases. */
    failureReason: text("failure_reason").$type<IsolationCause>(),
    score: smallint("score"),
    grade: text("grade").$type<Grade>(),
    findingsCount: integer("findings_count").notNull().default(0),
    /** Month and shard of the row of `usage` that was charged. */
    chargedMonth: char("charged_month", { length: 7 }).notNull(),
    chargedShard: smallint("charged_shard").notNull(),
    worker: text("worker"),
    leaseUntil: moment("lease_until"),
    attempts: smallint("attempts").notNull().default(0),
    /** When its Scan resource was recorded; null in standalone mode, which has none. */
    launchedAt: moment("launched_at"),
    /** Uid of the Scan resource that the row is bound to: no other one may change the row. Null until it is known. */
    resourceUid: text("resource_uid"),
    resourceNamespace: text("resource_namespace"),
    /** The installation that launches it, by the uid of its scan namespace (docs/adr/0011); null in standalone mode and in old rows. */
    installation: text("installation"),
    /** Its row of `targets`; null in rows of releases that had none, until their report is indexed. */
    targetId: bigint("target_id", { mode: "number" }),
    /** Whether the findings of its report are in `findings`; `failed` when they cannot be. */
    findingsIndex: text("findings_index").$type<"pending" | "done" | "failed">().notNull().default("pending"),
  },
  (table) => [
    index("scans_newest").on(table.accountId, table.createdAt, table.id), // read backwards
    index("scans_processing")
      .on(table.createdAt, table.id)
      .where(sql`status = 'processing'`),
    index("scans_ended")
      .on(table.accountId, table.endedAt)
      .where(sql`status <> 'processing'`),
    index("scans_target").on(table.targetId, table.createdAt, table.id),
    index("scans_score")
      .on(table.accountId, table.score, table.createdAt, table.id)
      .where(sql`score is not null`),
    index("scans_grade")
      .on(table.accountId, table.grade, table.createdAt, table.id)
      .where(sql`grade is not null`),
    index("scans_context")
      .on(table.accountId, table.context, table.createdAt, table.id)
      .where(sql`context is not null`),
    index("scans_failed")
      .on(table.accountId, table.createdAt, table.id)
      .where(sql`status = 'failed'`),
    index("scans_unindexed")
      .on(table.accountId, table.url, table.endedAt)
      .where(sql`status = 'completed' and findings_index = 'pending'`),
  ],
);

/** Written and read by release 0.3 and earlier, which may run beside this one during an upgrade. */
export const installations = pgTable("installations", {
  id: text("id").primaryKey(),
  knownSince: moment("known_since").notNull().defaultNow(),
});

const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/** The report, apart from the row that lists read. */
export const reports = pgTable("reports", {
  scanId: text("scan_id")
    .primaryKey()
    .references(() => scans.id, { onDelete: "cascade" }),
  /**
   * As JSON text: in rows of release 0.3 and earlier, and in all rows as long as an upgrade may be rolled back to such a release.
   */
  body: text("body").notNull(),
  /** Packed (scan-run/src/packed-report.ts); stored as it is, because PostgreSQL cannot compress it more. */
  packed: bytea("packed"),
});

/** The writes of active scans, as their scanners noted them. Those of a completed scan are in its report instead. */
export const scanWrites = pgTable(
  "scan_writes",
  {
    scanId: text("scan_id")
      .notNull()
      .references(() => scans.id, { onDelete: "cascade" }),
    /** From 0, over all attempts. */
    seq: smallint("seq").notNull(),
    entry: jsonb("entry").$type<NotedWrite>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scanId, table.seq] })],
);

/** Which scan a client's Idempotency-Key started. Rows older than 24 hours no longer count. */
export const idempotency = pgTable(
  "idempotency",
  {
    accountId: accountId(),
    key: text("key").notNull(),
    bodyDigest: text("body_digest").notNull(),
    scanId: text("scan_id").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index("idempotency_oldest").on(table.accountId, table.createdAt),
  ],
);
