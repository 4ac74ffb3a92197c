import { randomBytes } from "node:crypto";
import { MAX_WEBHOOKS, type WebhookChange, type WebhookEvent, type WebhookInput } from "@glovebox/contract";
import type { Sql } from "postgres";
import { lockAccount } from "../accounts/accounts.ts";
import { type Actor, actorJson } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import type { Announcer } from "../database/events.ts";
import type { webhookDeliveries, webhooks } from "./schema.ts";

/** A new signing secret in the form of Standard Webhooks: 256 bits. */
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

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
const SECRET_OVERLAP_HOURS = 24;

const COLUMNS = `id, url, description, events, created_at, previous_secret_until, failing_since, disabled_at, disabled_reason`;
const DELIVERY_COLUMNS = `id, event_id, event, scan_id, status, attempts, next_attempt_at, last_status, last_error,
  created_at, ended_at`;

/** The webhooks of an account, and the log of their deliveries. */
// oxlint-disable-next-line max-lines-per-function -- the methods of one object
export function webhookStore(database: Database, announcer: Announcer) {
  const now = (sql: Sql) => sql`coalesce(${database.now()}::timestamptz, now())`;
  /** The entry of the audit log, in the statement of the change. */
  const audit = (sql: Sql, action: string, { actor, before = "null", after = "null" }: Audited) => sql`
    write_audit(${actorJson(actor)}::text::jsonb, account_id, ${`webhook.${action}`}, url,
      ${sql.unsafe(before)}::jsonb, ${sql.unsafe(after)}::jsonb, ${database.now()}) as audited`;
  return {
    /** With its secret, which no other method returns; undefined when the account has `MAX_WEBHOOKS`. */
    async create(
      accountId: string,
      { url, events, description = null }: Nullable<WebhookInput>,
      actor?: Actor,
    ): Promise<(WebhookRow & { readonly secret: string }) | undefined> {
      const [created] = await database.transaction(async (transaction) => {
        await lockAccount(transaction, accountId);
        return transaction.run(
          (sql) => sql<(WebhookRow & { secret: string })[]>`
          with created as (
            insert into webhooks (account_id, url, events, description, secret, created_at)
            select ${accountId}, ${url}, ${distinct(events)}::text[], ${description}, ${newWebhookSecret()}, ${now(sql)}
            where (select count(*) from webhooks where account_id = ${accountId}) < ${MAX_WEBHOOKS}
            returning *
          )
          select ${sql.unsafe(COLUMNS)}, secret, ${audit(sql, "create", { actor, after: SETTINGS })} from created`,
        );
      });
      return created && withoutAudit(created);
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
    // oxlint-disable-next-line max-params -- whose, which, how, by whom
    async update(
      accountId: string,
      id: string,
      change: WebhookChange,
      actor?: Actor,
    ): Promise<WebhookRow | undefined> {
      const { url = null, events, description, enabled } = change;
      const [changed] = await database.run(
        (sql) => sql<WebhookRow[]>`
          with old as (
            select id as old_id, ${sql.unsafe(SETTINGS)} as settings from webhooks
            where id = ${id} and account_id = ${accountId} for update
          ), changed as (
            update webhooks set url = coalesce(${url}, url),
              events = coalesce(${events ? distinct(events) : null}::text[], events),
              description = ${description === undefined ? sql`description` : sql`${description}`}
              ${enabled === true ? sql`, failing_since = null, disabled_at = null, disabled_reason = null` : sql``}
              ${enabled === false ? sql`, disabled_at = ${now(sql)}, disabled_reason = 'Disabled by a user.'` : sql``}
            from old where id = old_id returning webhooks.*, settings
          ), given_up as (
            update webhook_deliveries set status = 'failed', claimed_until = null, ended_at = ${now(sql)},
              last_error = coalesce(last_error, 'The webhook was disabled.')
            from changed where webhook_id = changed.id and status = 'pending' and ${enabled === false}
          )
          select ${sql.unsafe(COLUMNS)}, ${audit(sql, "update", { actor, before: "settings", after: SETTINGS })}
          from changed`,
      );
      return changed && withoutAudit(changed);
    },

    /** A new secret; the one before signs, too, for `SECRET_OVERLAP_HOURS`. Undefined: no such webhook. */
    async rotateSecret(
      accountId: string,
      id: string,
      actor?: Actor,
    ): Promise<(WebhookRow & { readonly secret: string }) | undefined> {
      const [rotated] = await database.run(
        (sql) => sql<(WebhookRow & { secret: string })[]>`
          with rotated as (
            update webhooks set secret = ${newWebhookSecret()}, previous_secret = secret,
              previous_secret_until = ${now(sql)} + make_interval(hours => ${SECRET_OVERLAP_HOURS})
            where id = ${id} and account_id = ${accountId} returning *
          )
          select ${sql.unsafe(COLUMNS)}, secret, ${audit(sql, "rotateSecret", { actor })} from rotated`,
      );
      return rotated && withoutAudit(rotated);
    },

    /** With its deliveries. Returns whether there was one. */
    async remove(accountId: string, id: string, actor?: Actor): Promise<boolean> {
      const removed = await database.run(
        (sql) => sql`
          with removed as (delete from webhooks where id = ${id} and account_id = ${accountId} returning *)
          select ${audit(sql, "delete", { actor, before: SETTINGS })} from removed`,
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

interface Audited {
  readonly actor: Actor | undefined;
  /** SQL expressions. */
  readonly before?: string;
  readonly after?: string;
}

/** What the audit log has of a webhook: never a secret. */
const SETTINGS = `jsonb_build_object('id', id, 'url', url, 'events', events, 'enabled', disabled_at is null)`;

function withoutAudit<Row extends object>(row: Row): Row {
  const { audited: _, ...rest } = row as Row & { audited?: unknown };
  return rest as unknown as Row;
}

const distinct = (events: readonly WebhookEvent[]): WebhookEvent[] => [...new Set(events)];

type Nullable<T> = { [Key in keyof T]: T[Key] | (undefined extends T[Key] ? null : never) };
