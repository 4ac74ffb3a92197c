import { sql } from "drizzle-orm";
import { index, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import type { DeliveryStatus, WebhookEvent } from "@glovebox/contract";
import { accounts } from "../accounts/schema.ts";
import { moment } from "../database/schema.ts";
import { scans } from "../scans/schema.ts";

/** Where the events of an account are delivered to. The secrets sign, so they are stored as they are (docs/adr/0022). */
export const webhooks = pgTable(
  "webhooks",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    url: text("url").notNull(),
    description: text("description"),
    events: text("events").array().$type<WebhookEvent[]>().notNull(),
    secret: text("secret").notNull(),
    /** Signs beside the new one while the receiver changes over. */
    previousSecret: text("previous_secret"),
    previousSecretUntil: moment("previous_secret_until"),
    createdAt: moment("created_at").notNull(),
    /** The first failed attempt since the last successful one. */
    failingSince: moment("failing_since"),
    disabledAt: moment("disabled_at"),
    disabledReason: text("disabled_reason"),
  },
  (table) => [index("webhooks_account").on(table.accountId, table.createdAt, table.id)],
);

/** One event for one webhook. Inserted in the transaction in which the scan ends, and deleted with the scan. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    /** `webhook-id` of the request: the same for each attempt and each webhook. */
    eventId: text("event_id").notNull(),
    event: text("event").$type<WebhookEvent | "webhook.test">().notNull(),
    /** Null for a test. */
    scanId: text("scan_id").references(() => scans.id, { onDelete: "cascade" }),
    previousScanId: text("previous_scan_id"),
    /** The body, from the first attempt on. */
    payload: text("payload"),
    status: text("status").$type<DeliveryStatus>().notNull().default("pending"),
    attempts: smallint("attempts").notNull().default(0),
    nextAttemptAt: moment("next_attempt_at").notNull(),
    /** While an attempt is under way. */
    claimedUntil: moment("claimed_until"),
    /** HTTP status of the last attempt; null when there was no response. */
    lastStatus: smallint("last_status"),
    lastError: text("last_error"),
    createdAt: moment("created_at").notNull(),
    /** When it was delivered, or given up. */
    endedAt: moment("ended_at"),
  },
  (table) => [
    index("webhook_deliveries_newest").on(table.webhookId, table.createdAt, table.id),
    index("webhook_deliveries_due")
      .on(table.webhookId, table.nextAttemptAt)
      .where(sql`status = 'pending'`),
    index("webhook_deliveries_claimed")
      .on(table.webhookId)
      .where(sql`claimed_until is not null`),
    index("webhook_deliveries_scan").on(table.scanId),
    index("webhook_deliveries_oldest").on(table.accountId, table.createdAt),
  ],
);
