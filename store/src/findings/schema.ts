import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  date,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { Category, Confidence, Coverage, Grade, ScanState, Severity } from "@glovebox/contract";
import type { FindingEvent, FindingStatus } from "@glovebox/domain";
import { accounts } from "../accounts/schema.ts";
import { moment } from "../database/schema.ts";

/*
 * What is known of targets over all their scans. It is made of reports when they are recorded, and outlives them: the evidence
 * is in the reports alone.
 */

export type SeverityCounts = Readonly<Record<Severity, number>>;

/** An address that an account has scanned. */
export const targets = pgTable(
  "targets",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    url: text("url").notNull(),
    /** When a scan of it was last submitted for the first time, or ended. */
    changedAt: moment("changed_at").notNull(),
    /** The scan that ended last, in any status. */
    lastScanId: text("last_scan_id"),
    lastStatus: text("last_status").$type<ScanState>(),
    /** Of the last report. */
    score: smallint("score"),
    grade: text("grade").$type<Grade>(),
    coverage: jsonb("coverage").$type<Coverage>(),
    /** Findings that are open or reopened. */
    open: jsonb("open").$type<SeverityCounts>(),
  },
  (table) => [
    unique("targets_url").on(table.accountId, table.url),
    index("targets_changed").on(table.changedAt),
  ],
);

/** The last report of each day (UTC). */
export const targetScores = pgTable(
  "target_scores",
  {
    targetId: bigint("target_id", { mode: "number" })
      .notNull()
      .references(() => targets.id, { onDelete: "cascade" }),
    day: date("day").notNull(),
    scanId: text("scan_id").notNull(),
    score: smallint("score").notNull(),
    grade: text("grade").$type<Grade>().notNull(),
    open: jsonb("open").$type<SeverityCounts>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.targetId, table.day] })],
);

/**
 * One weakness of one target over all its scans. The indexes have no column that a scan changes which sees the same again.
 * Ids ascend with the time at which findings were first recorded.
 */
export const findings = pgTable(
  "findings",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    accountId: uuid("account_id").notNull(),
    targetId: bigint("target_id", { mode: "number" })
      .notNull()
      .references(() => targets.id, { onDelete: "cascade" }),
    /** The id in reports: of the weakness, stable across the scans of the target. */
    findingId: text("finding_id").notNull(),
    status: text("status").$type<FindingStatus>().notNull().default("open"),
    severity: text("severity").$type<Severity>().notNull(),
    confidence: text("confidence").$type<Confidence>().notNull(),
    category: text("category").$type<Category>().notNull(),
    checkId: text("check_id").notNull(),
    title: text("title").notNull(),
    /** The first location in the last report that has it. */
    place: text("place").notNull(),
    /** Check and location of each instance that was seen and has not passed since, as `check GET /path (parameter)`. */
    seenAt: text("seen_at").array().notNull(),
    firstSeenAt: moment("first_seen_at").notNull(),
    firstScanId: text("first_scan_id").notNull(),
    lastSeenAt: moment("last_seen_at").notNull(),
    lastScanId: text("last_scan_id").notNull(),
    /** Since when it is open, or was before it was fixed. */
    openedAt: moment("opened_at").notNull(),
    fixedAt: moment("fixed_at"),
    /** The mark of what is accepted or a false positive; null of everything else. */
    markReason: text("mark_reason"),
    markExpiresAt: moment("mark_expires_at"),
    markBy: text("mark_by"),
  },
  (table) => [
    unique("findings_identity").on(table.targetId, table.findingId),
    index("findings_account").on(table.accountId, table.status, table.severity, table.id),
    index("findings_target").on(table.targetId, table.status, table.severity, table.id),
    index("findings_category").on(table.accountId, table.category, table.status, table.severity, table.id),
    index("findings_check").on(table.accountId, table.checkId, table.status, table.severity, table.id),
    index("findings_expiring")
      .on(table.accountId, table.markExpiresAt)
      .where(sql`mark_expires_at is not null`),
  ],
);

/** What happened to findings. Rows are only ever added. */
export const findingHistory = pgTable(
  "finding_history",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    finding: bigint("finding", { mode: "number" })
      .notNull()
      .references(() => findings.id, { onDelete: "cascade" }),
    at: moment("at").notNull(),
    event: text("event").$type<FindingEvent>().notNull(),
    /** Null of the first entry. */
    fromStatus: text("from_status").$type<FindingStatus>(),
    toStatus: text("to_status").$type<FindingStatus>().notNull(),
    /** The scan that said so; null of decisions and of what expired. */
    scanId: text("scan_id"),
    reason: text("reason"),
    expiresAt: moment("expires_at"),
    by: text("by"),
  },
  (table) => [index("finding_history_finding").on(table.finding, table.id)],
);

/** `TRANSITIONS` of the contract, written by `migrate`. */
export const findingTransitions = pgTable(
  "finding_transitions",
  {
    event: text("event").$type<FindingEvent>().notNull(),
    fromStatus: text("from_status").$type<FindingStatus>().notNull(),
    toStatus: text("to_status").$type<FindingStatus>().notNull(),
    /** True where a finding has a mark afterwards. */
    isMarked: boolean("is_marked").notNull(),
    /** True of the decisions of people, which the history tells even where the status stays. */
    isDecision: boolean("is_decision").notNull(),
  },
  (table) => [primaryKey({ columns: [table.event, table.fromStatus] })],
);
