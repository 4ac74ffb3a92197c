import { char, pgTable, timestamp } from "drizzle-orm/pg-core";

/*
 * The schema.ts of each folder has its tables: the types of their rows, and what `drizzle-kit generate` compares migrations
 * with. What runs in one transaction over several of them is a function in ../../sql/*.sql.
 */

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** The applied versions of ../../sql/*.sql by their digest; the one applied last is in effect. */
export const sqlVersions = pgTable("sql_versions", {
  sha256: char("sha256", { length: 64 }).primaryKey(),
  appliedAt: moment("applied_at").notNull(),
});
