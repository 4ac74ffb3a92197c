import {
  MAX_WEBHOOKS,
  type WebhookChange,
  type WebhookEvent,
  type WebhookInput,
  newWebhookSecret,
} from "@glovebox/contract";
import type { Sql } from "postgres";
import type { Database } from "./database.ts";
import type { Announcer } from "./events.ts";
import type { webhookDeliveries, webhooks } from "./webhooks-schema.ts";

/** Without its secrets. */
export type WebhookRow = Readonly<
  Omit<typeof webhooks.$inferSelect, "secret" | "previousSecret" | "accountId">
>;
/** Without the body. */
export type DeliveryRow = Readonly<
  Omit<
    typeof webhookDeliveries.$inferSelect,
    "payload" | "accountId" | "webhookId" | "previousScanId" | "claimedUntil"
  >
>;

export type WebhookStore = ReturnType<typeof webhookStore>;

/** How long deliveries are also signed with the secret before, in hours. */
export const SECRET_OVERLAP_HOURS = 24;

const COLUMNS = `id, url, description, events, created_at, previous_secret_until, failing_since, disabled_at, disabled_reason`;
const DELIVERY_COLUMNS = `id, event_id, event, scan_id, status, attempts, next_attempt_at, last_status, last_error,
  created_at, ended_at`;

/** The webhooks of an account, and the log of their deliveries. */
// oxlint-disable-next-line max-lines-per-function -- the methods of one object
export function webhookStore(database: Database, announcer: Announcer) {
  const now = (sql: Sql) => sql`coalesce(${database.now()}::timestamptz, now())`;
  return {
    /** With its secret, which no other method returns; undefined when the account has `MAX_WEBHOOKS`. */
    async create(
      accountId: string,
      { url, events, description = null }: Nullable<WebhookInput>,
    ): Promise<(WebhookRow & { readonly secret: string }) | undefined> {
      const [created] = await database.run(
        (sql) => sql<(WebhookRow & { secret: string })[]>`
          insert into webhooks (account_id, url, events, description, secret, created_at)
          select ${accountId}, ${url}, ${distinct(events)}::text[], ${description}, ${newWebhookSecret()}, ${now(sql)}
          where (select count(*) from webhooks where account_id = ${accountId}) < ${MAX_WEBHOOKS}
          returning ${sql.unsafe(COLUMNS)}, secret`,
      );
      return created;
    },

    /** Oldest first. */
    list(accountId: string): Promise<WebhookRow[]> {
      return database.run(
        (sql) => sql<WebhookRow[]>`
          select ${sql.unsafe(COLUMNS)} from webhooks where account_id = ${accountId} order by created_at, id`,
      );
    },

    async get(accountId: string, id: string): Promise<WebhookRow | undefined> {
      const [found] = await database.run(
        (sql) => sql<WebhookRow[]>`
          select ${sql.unsafe(COLUMNS)} from webhooks where id = ${id} and account_id = ${accountId}`,
      );
      return found;
    },

    /** Changes what is given. Enabling forgets past failures; disabling gives up what waits. Undefined: no such webhook. */
    async update(accountId: string, id: string, change: WebhookChange): Promise<WebhookRow | undefined> {
      const { url = null, events, description, enabled } = change;
      const [changed] = await database.run(
        (sql) => sql<WebhookRow[]>`
          update webhooks set url = coalesce(${url}, url),
            events = coalesce(${events ? distinct(events) : null}::text[], events),
            description = ${description === undefined ? sql`description` : sql`${description}`}
            ${enabled === true ? sql`, failing_since = null, disabled_at = null, disabled_reason = null` : sql``}
          where id = ${id} and account_id = ${accountId} returning ${sql.unsafe(COLUMNS)}`,
      );
      if (!changed || enabled !== false) return changed;
      await database.run(
        (sql) => sql`select disable_webhook(${id}, ${database.now()}, 'Disabled by a user.')`,
      );
      return this.get(accountId, id);
    },

    /** A new secret; the one before signs, too, for `SECRET_OVERLAP_HOURS`. Undefined: no such webhook. */
    async rotateSecret(
      accountId: string,
      id: string,
    ): Promise<(WebhookRow & { readonly secret: string }) | undefined> {
      const [rotated] = await database.run(
        (sql) => sql<(WebhookRow & { secret: string })[]>`
          update webhooks set secret = ${newWebhookSecret()}, previous_secret = secret,
            previous_secret_until = ${now(sql)} + make_interval(hours => ${SECRET_OVERLAP_HOURS})
          where id = ${id} and account_id = ${accountId} returning ${sql.unsafe(COLUMNS)}, secret`,
      );
      return rotated;
    },

    /** With its deliveries. Returns whether there was one. */
    async remove(accountId: string, id: string): Promise<boolean> {
      const removed = await database.run(
        (sql) => sql`delete from webhooks where id = ${id} and account_id = ${accountId} returning id`,
      );
      return removed.length > 0;
    },

    /** Newest first. */
    deliveries(accountId: string, id: string, limit: number): Promise<DeliveryRow[]> {
      return database.run(
        (sql) => sql<DeliveryRow[]>`
          select ${sql.unsafe(DELIVERY_COLUMNS)} from webhook_deliveries
          where webhook_id = ${id} and account_id = ${accountId} order by created_at desc, id desc limit ${limit}`,
      );
    },

    /** Enqueues a test; undefined for a webhook that does not exist, or is disabled. */
    async test(accountId: string, id: string): Promise<DeliveryRow | undefined> {
      const [sent] = await database.run(
        (sql) => sql<DeliveryRow[]>`
          insert into webhook_deliveries (webhook_id, account_id, event_id, event, next_attempt_at, created_at)
          select id, account_id, 'test-' || gen_random_uuid(), 'webhook.test', ${now(sql)}, ${now(sql)} from webhooks
          where id = ${id} and account_id = ${accountId} and disabled_at is null
          returning ${sql.unsafe(DELIVERY_COLUMNS)}`,
      );
      if (sent) announcer.announce({ type: "deliveryDue" });
      return sent;
    },

    /**
     * Sends the event once more, with all attempts; one that waits is sent now. Undefined for a delivery that does not exist, whose
     * attempt is under way, or whose webhook is disabled.
     */
    async sendAgain(accountId: string, id: string, delivery: string): Promise<DeliveryRow | undefined> {
      const [sent] = await database.run(
        (sql) => sql<DeliveryRow[]>`
          update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = ${now(sql)}, ended_at = null,
            claimed_until = null
          where id = ${delivery} and webhook_id = ${id} and account_id = ${accountId}
            and (claimed_until is null or claimed_until <= ${now(sql)})
            and exists (select from webhooks w where w.id = webhook_id and w.disabled_at is null)
          returning ${sql.unsafe(DELIVERY_COLUMNS)}`,
      );
      if (sent) announcer.announce({ type: "deliveryDue" });
      return sent;
    },
  };
}

const distinct = (events: readonly WebhookEvent[]): WebhookEvent[] => [...new Set(events)];

type Nullable<T> = { [Key in keyof T]: T[Key] | (undefined extends T[Key] ? null : never) };
