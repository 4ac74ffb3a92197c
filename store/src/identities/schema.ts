import { jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { IdentitySummary } from "@glovebox/contract";
import { accountId } from "../accounts/schema.ts";
import { moment } from "../database/schema.ts";
import { scans } from "../scans/schema.ts";

/** The identities of a scan that has not ended, encrypted (identity-keys.ts). Deleted in the transaction in which it ends. */
export const scanIdentities = pgTable("scan_identities", {
  scanId: text("scan_id")
    .primaryKey()
    .references(() => scans.id, { onDelete: "cascade" }),
  ciphertext: text("ciphertext").notNull(),
});

/** Identities that an account has saved for a target. */
export const identitySets = pgTable(
  "identity_sets",
  {
    id: uuid("id").primaryKey(),
    accountId: accountId(),
    name: text("name").notNull(),
    /** Of the target: the set is sent nowhere else. */
    origin: text("origin").notNull(),
    /** What lists show: no value. */
    summary: jsonb("summary").$type<IdentitySummary[]>().notNull(),
    ciphertext: text("ciphertext").notNull(),
    savedAt: moment("saved_at").notNull(),
  },
  (table) => [unique("identity_sets_name").on(table.accountId, table.origin, table.name)],
);
