import { bigint, index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * Who changed what, written in the transaction of the change and never changed again. Without references: an entry outlives its
 * account and its user.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp("at", { withTimezone: true, precision: 3 }).notNull(),
    /** Null: the change concerns no one account. */
    accountId: uuid("account_id"),
    /** Null: no user, but an API key, the service itself, or its command line. */
    userId: uuid("user_id"),
    /** Of the API key that a client used. */
    keyId: uuid("key_id"),
    actor: text("actor").notNull(),
    ip: text("ip"),
    requestId: text("request_id"),
    /** What was done, such as `key.revoke`. */
    action: text("action").notNull(),
    /** Name or id of what it was done to. */
    subject: text("subject").notNull(),
    before: jsonb("before"),
    after: jsonb("after"),
  },
  (table) => [
    index("audit_log_newest").on(table.accountId, table.id), // read backwards
    index("audit_log_oldest").on(table.at),
  ],
);
