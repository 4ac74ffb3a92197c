import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ErrorCode, ScanContext } from "@glovebox/contract";
import type { ConcurrencyPolicy } from "@glovebox/contract/schedule";
import type { RunOutcome } from "@glovebox/contract/schedules";
import { accounts } from "../accounts/schema.ts";
import { moment } from "../database/schema.ts";

/** What is scanned again and again, and when. It holds no secret: identities are those of a saved set, by its name. */
export const schedules = pgTable(
  "schedules",
  {
    id: uuid("id").primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    url: text("url").notNull(),
    specUrl: text("spec_url"),
    context: text("context").$type<ScanContext>(),
    include: text("include").array(),
    exclude: text("exclude").array(),
    /** Name of a saved set of the target. Not a reference: one that is deleted and saved again is meant again. */
    identitySet: text("identity_set"),
    /** Cron expression of five fields. */
    schedule: text("schedule").notNull(),
    timeZone: text("time_zone").notNull(),
    jitterSeconds: integer("jitter_seconds").notNull(),
    startingDeadlineSeconds: integer("starting_deadline_seconds").notNull(),
    concurrencyPolicy: text("concurrency_policy").$type<ConcurrencyPolicy>().notNull(),
    suspend: boolean("suspend").notNull(),
    historyLimit: smallint("history_limit").notNull(),
    createdAt: moment("created_at").notNull(),
    /** Runs up to here were decided. */
    decidedUntil: moment("decided_until").notNull(),
    /** When to decide again; null while it is suspended. */
    nextRunAt: moment("next_run_at"),
    /** While a process decides: it also names the claim. */
    claimedUntil: moment("claimed_until"),
    /** Since it was created. */
    missedRuns: integer("missed_runs").notNull().default(0),
  },
  (table) => [
    index("schedules_account").on(table.accountId, table.createdAt, table.id),
    index("schedules_due")
      .on(table.nextRunAt)
      .where(sql`next_run_at is not null`),
  ],
);

/** The last runs of a schedule, up to its history limit. */
export const scheduleRuns = pgTable(
  "schedule_runs",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    scheduleId: uuid("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    /** When the expression wanted it; null for missed runs, of which a row may count several. */
    scheduledAt: moment("scheduled_at"),
    decidedAt: moment("decided_at").notNull(),
    outcome: text("outcome").$type<RunOutcome>().notNull(),
    missed: smallint("missed").notNull().default(0),
    code: text("code").$type<ErrorCode>(),
    reason: text("reason"),
    /** Of a scan that may have been deleted since. */
    scanId: text("scan_id"),
  },
  (table) => [
    index("schedule_runs_newest").on(table.scheduleId, table.id),
    uniqueIndex("schedule_runs_slot").on(table.scheduleId, table.scheduledAt), // no run is decided twice
  ],
);
