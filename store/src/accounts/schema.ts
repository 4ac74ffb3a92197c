import {
  bigint,
  boolean,
  char,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { Plan, Scope } from "@glovebox/contract";
import { moment } from "../database/schema.ts";

/*
 * Counters are split into shards, so that simultaneous submissions of one account do not wait for each other's
 * commit; a reader adds the shards up.
 */

const id = () => uuid("id").primaryKey().defaultRandom();

/** Column of the account that a row belongs to. */
export const accountId = () =>
  uuid("account_id")
    .notNull()
    .references(() => accounts.id);

export const accounts = pgTable("accounts", {
  id: id(),
  name: text("name").notNull().unique(),
  plan: text("plan").$type<Plan>().notNull(),
  owner: text("owner"),
  /** Where not null, these replace the limits of the plan. */
  requestsPerMinute: integer("requests_per_minute"),
  scansPerMonth: integer("scans_per_month"),
  /** Its scans may have the mode `active`: the operator allows them to write to their targets. */
  activeMode: boolean("active_mode").notNull().default(false),
  /** Since when its keys are refused and nothing of it can be changed. */
  suspendedAt: moment("suspended_at"),
  createdAt: moment("created_at").notNull().defaultNow(),
});

export const keys = pgTable(
  "keys",
  {
    id: id(),
    accountId: accountId(),
    name: text("name").notNull(),
    sha256: char("sha256", { length: 64 }).notNull().unique(),
    scopes: text("scopes").array().$type<Scope[]>().notNull(),
    expiresAt: moment("expires_at"),
    revokedAt: moment("revoked_at"),
    lastUsedAt: moment("last_used_at"),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [index("keys_account").on(table.accountId)],
);

/** The monthly quotas of the plans, written by `migrate`. Null: unlimited. */
export const plans = pgTable("plans", {
  name: text("name").primaryKey(),
  scansPerMonth: integer("scans_per_month"),
});

/** Scans started in a calendar month (`2026-11`, UTC). Accounts with a quota use shard 0 alone: it must be exact. */
export const usage = pgTable(
  "usage",
  {
    accountId: accountId(),
    month: char("month", { length: 7 }).notNull(),
    shard: smallint("shard").notNull(),
    started: integer("started").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.month, table.shard] })],
);

/**
 * How many scans an account has, in any status. One shard may be negative; the sum is right. Shard 16 is the shard of
 * retention alone, so that no submission waits for its batches.
 */
export const scanCounts = pgTable(
  "scan_counts",
  {
    accountId: accountId(),
    shard: smallint("shard").notNull(),
    scans: bigint("scans", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.shard] })],
);
