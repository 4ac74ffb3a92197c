import type { Plan } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import type { webhookDeliveries, webhooks } from "./schema.ts";

/** A delivery to attempt, its webhook, and the plan of its account. `attempts` also counts this one. */
export type ClaimedDelivery = Readonly<
  Pick<
    typeof webhookDeliveries.$inferSelect,
    | "id"
    | "accountId"
    | "webhookId"
    | "eventId"
    | "event"
    | "scanId"
    | "previousScanId"
    | "payload"
    | "attempts"
    | "createdAt"
  > &
    Pick<typeof webhooks.$inferSelect, "url" | "secret"> & {
      /** Null unless it still signs. */
      readonly previousSecret: string | null;
      readonly plan: Plan;
    }
>;

/** How an attempt went: delivered without an `error`. */
export interface DeliveryAttempt {
  readonly payload: string | null;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly error: string | null;
  /** Until the next attempt; null for none. */
  readonly retrySeconds: number | null;
  /** Why to disable the webhook immediately. */
  readonly disable?: string | undefined;
}

export interface ClaimLimits {
  readonly limit: number;
  /** Attempts under way at a time, over all processes. */
  readonly perAccount: number;
  readonly perWebhook: number;
}

/** How long a webhook may fail until it is disabled, in seconds. */
const PATIENCE_SECONDS = 3 * 86_400;

/** The queue of deliveries for the processes that send them, by the clock of PostgreSQL. */
export class WebhookQueue {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Due deliveries, claimed for this many seconds: accounts with the fewest attempts under way first. */
  claim(seconds: number, { limit, perAccount, perWebhook }: ClaimLimits): Promise<ClaimedDelivery[]> {
    const now = this.#database.now();
    return this.#database.run(
      (sql) => sql<ClaimedDelivery[]>`
          select d.id, d.account_id, d.webhook_id, d.event_id, d.event, d.scan_id, d.previous_scan_id, d.payload, d.attempts,
            d.created_at, w.url, w.secret, a.plan,
            case when w.previous_secret_until > coalesce(${now}::timestamptz, now()) then w.previous_secret end
              as previous_secret
          from claim_webhook_deliveries(${now}, ${seconds}, ${limit}, ${perAccount}, ${perWebhook}) d
          join webhooks w on w.id = d.webhook_id join accounts a on a.id = d.account_id`,
    );
  }

  /** Records the attempt, unless the claim has expired and another attempt was made. */
  async record(
    { id, attempts }: Pick<ClaimedDelivery, "id" | "attempts">,
    { payload, status, error, retrySeconds, disable }: DeliveryAttempt,
  ): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          select record_webhook_attempt(${id}, ${attempts}, ${this.#database.now()}, ${payload}, ${status}, ${error},
            ${retrySeconds}, ${PATIENCE_SECONDS}, ${disable ?? null})`,
    );
  }

  /** Removes a delivery whose event did not occur: a scan that did not regress. */
  async discard({ id }: Pick<ClaimedDelivery, "id">): Promise<void> {
    await this.#database.run((sql) => sql`delete from webhook_deliveries where id = ${id}`);
  }
}
