import { randomBytes } from "node:crypto";
import { MAX_WEBHOOKS, type WebhookChange, type WebhookEvent, type WebhookInput } from "@glovebox/contract";
import type { Sql } from "postgres";
import { lockAccount } from "../accounts/accounts.ts";
import type { Database } from "../database/database.ts";
import type { Announcer } from "../database/events.ts";
import type { webhookDeliveries, webhooks } from "./schema.ts";

/** A new signing secret in the form of Standard Webhooks: 256 bits. */
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Without its secrets. */
export type WebhookRow = Readonly<
  Omit<typeof webhooks.$inferSelect, "secret" | "previousSecret" | "accountId">
>;
type NewWebhookRow = WebhookRow & { readonly secret: string };

/** Without the body. */
export type DeliveryRow = Readonly<
  Omit<
    typeof webhookDeliveries.$inferSelect,
    "payload" | "accountId" | "webhookId" | "previousScanId" | "claimedUntil"
  >
>;

/** How long deliveries are also signed with the secret before, in hours. */
const SECRET_OVERLAP_HOURS = 24;

const COLUMNS = `id, url, description, events, created_at, previous_secret_until, failing_since, disabled_at, disabled_reason`;
const DELIVERY_COLUMNS = `id, event_id, event, scan_id, status, attempts, next_attempt_at, last_status, last_error,
  created_at, ended_at`;

/** The webhooks of an account, and the log of their deliveries. */
export class WebhookStore {
  readonly #database: Database;
  readonly #announcer: Pick<Announcer, "announce">;

  constructor(database: Database, announcer: Pick<Announcer, "announce">) {
    this.#database = database;
    this.#announcer = announcer;
  }

  /** With its secret, which no other method returns; undefined when the account has `MAX_WEBHOOKS`. */
  async create(
    accountId: string,
    { url, events, description = null }: Nullable<WebhookInput>,
  ): Promise<NewWebhookRow | undefined> {
    const [created] = await this.#database.transaction(async (transaction) => {
      await lockAccount(transaction, accountId);
      return transaction.run(
        (sql) => sql<NewWebhookRow[]>`
          insert into webhooks (account_id, url, events, description, secret, created_at)
          select ${accountId}, ${url}, ${distinct(events)}::text[], ${description}, ${newWebhookSecret()},
            ${this.#now(sql)}
          where (select count(*) from webhooks where account_id = ${accountId}) < ${MAX_WEBHOOKS}
          returning ${sql.unsafe(COLUMNS)}, secret`,
      );
    });
    return created;
  }

  /** Oldest first. */
  list(accountId: string): Promise<WebhookRow[]> {
    return this.#database.run(
      (sql) => sql<WebhookRow[]>`
        select ${sql.unsafe(COLUMNS)} from webhooks where account_id = ${accountId} order by created_at, id`,
    );
  }

  get(accountId: string, id: string): Promise<WebhookRow | undefined> {
    return this.#find(accountId, id, false);
  }

  /** As `get`; nothing else changes it until the end of the transaction. */
  lock(accountId: string, id: string): Promise<WebhookRow | undefined> {
    return this.#find(accountId, id, true);
  }

  /** Changes what is given. Enabling forgets past failures; disabling gives up what waits. Undefined: no such webhook. */
  async update(accountId: string, id: string, change: WebhookChange): Promise<WebhookRow | undefined> {
    const { url = null, events, description, enabled } = change;
    const [changed] = await this.#database.run(
      (sql) => sql<WebhookRow[]>`
        with changed as (
          update webhooks set url = coalesce(${url}, url),
            events = coalesce(${events ? distinct(events) : null}::text[], events),
            description = ${description === undefined ? sql`description` : sql`${description}`}
            ${enabled === true ? sql`, failing_since = null, disabled_at = null, disabled_reason = null` : sql``}
            ${enabled === false ? sql`, disabled_at = ${this.#now(sql)}, disabled_reason = 'Disabled by a user.'` : sql``}
          where id = ${id} and account_id = ${accountId} returning *
        ), given_up as (
          update webhook_deliveries set status = 'failed', claimed_until = null, ended_at = ${this.#now(sql)},
            last_error = coalesce(last_error, 'The webhook was disabled.')
          from changed where webhook_id = changed.id and webhook_deliveries.status = 'pending' and ${enabled === false}
        )
        select ${sql.unsafe(COLUMNS)} from changed`,
    );
    return changed;
  }

  /** A new secret; the previous one signs as well for `SECRET_OVERLAP_HOURS`. Undefined: no such webhook. */
  async rotateSecret(accountId: string, id: string): Promise<NewWebhookRow | undefined> {
    const [rotated] = await this.#database.run(
      (sql) => sql<NewWebhookRow[]>`
        update webhooks set secret = ${newWebhookSecret()}, previous_secret = secret,
          previous_secret_until = ${this.#now(sql)} + make_interval(hours => ${SECRET_OVERLAP_HOURS})
        where id = ${id} and account_id = ${accountId} returning ${sql.unsafe(COLUMNS)}, secret`,
    );
    return rotated;
  }

  /** With its deliveries. Returns what it was; undefined: no such webhook. */
  async remove(accountId: string, id: string): Promise<WebhookRow | undefined> {
    const [removed] = await this.#database.run(
      (sql) => sql<WebhookRow[]>`
        delete from webhooks where id = ${id} and account_id = ${accountId} returning ${sql.unsafe(COLUMNS)}`,
    );
    return removed;
  }

  /** Newest first. */
  deliveries(accountId: string, id: string, limit: number): Promise<DeliveryRow[]> {
    return this.#database.run(
      (sql) => sql<DeliveryRow[]>`
        select ${sql.unsafe(DELIVERY_COLUMNS)} from webhook_deliveries
        where webhook_id = ${id} and account_id = ${accountId} order by created_at desc, id desc limit ${limit}`,
    );
  }

  /** Enqueues a test; undefined for a webhook that does not exist, or is disabled. */
  async test(accountId: string, id: string): Promise<DeliveryRow | undefined> {
    const [sent] = await this.#database.run(
      (sql) => sql<DeliveryRow[]>`
        insert into webhook_deliveries (webhook_id, account_id, event_id, event, next_attempt_at, created_at)
        select id, account_id, 'test-' || gen_random_uuid(), 'webhook.test', ${this.#now(sql)}, ${this.#now(sql)}
        from webhooks where id = ${id} and account_id = ${accountId} and disabled_at is null
        returning ${sql.unsafe(DELIVERY_COLUMNS)}`,
    );
    if (sent) this.#announcer.announce({ type: "deliveryDue" });
    return sent;
  }

  /**
   * Sends the event once more, with all attempts; one that waits is sent now. Undefined for a delivery that does not exist, whose
   * attempt is under way, or whose webhook is disabled.
   */
  async sendAgain(accountId: string, id: string, delivery: string): Promise<DeliveryRow | undefined> {
    const [sent] = await this.#database.run(
      (sql) => sql<DeliveryRow[]>`
        update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = ${this.#now(sql)},
          ended_at = null, claimed_until = null
        where id = ${delivery} and webhook_id = ${id} and account_id = ${accountId}
          and (claimed_until is null or claimed_until <= ${this.#now(sql)})
          and exists (select from webhooks w where w.id = webhook_id and w.disabled_at is null)
        returning ${sql.unsafe(DELIVERY_COLUMNS)}`,
    );
    if (sent) this.#announcer.announce({ type: "deliveryDue" });
    return sent;
  }

  async #find(accountId: string, id: string, forUpdate: boolean): Promise<WebhookRow | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<WebhookRow[]>`
        select ${sql.unsafe(COLUMNS)} from webhooks where id = ${id} and account_id = ${accountId}
        ${forUpdate ? sql`for update` : sql``}`,
    );
    return found;
  }

  #now(sql: Sql) {
    return sql`coalesce(${this.#database.now()}::timestamptz, now())`;
  }
}

const distinct = (events: readonly WebhookEvent[]): WebhookEvent[] => [...new Set(events)];

type Nullable<T> = { [Key in keyof T]: T[Key] | (undefined extends T[Key] ? null : never) };
