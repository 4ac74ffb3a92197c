import {
  ApiError,
  MAX_WEBHOOKS,
  parseTargetUrl,
  planIncludes,
  type NewWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookDelivery,
  type WebhookInput,
} from "@glovebox/contract";
import type { Account, Actor, DeliveryRow, WebhookRow } from "@glovebox/store";
import type { Services } from "../deps.ts";

type Parts = Pick<Services, "store" | "targetGuard" | "settings">;

/** The webhooks of an account, with the rules that hold however a client asks: over `/v1` or the admin interface. */
export interface WebhookCommands {
  create(input: WebhookInput): Promise<NewWebhook>;
  list(): Promise<Webhook[]>;
  get(id: string): Promise<Webhook>;
  update(id: string, change: WebhookChange): Promise<Webhook>;
  rotateSecret(id: string): Promise<NewWebhook>;
  remove(id: string): Promise<void>;
  /** The newest ones. */
  deliveries(id: string, limit: number): Promise<WebhookDelivery[]>;
  sendAgain(id: string, delivery: string): Promise<WebhookDelivery>;
  /** Enqueues an event of the type `webhook.test`. */
  test(id: string): Promise<WebhookDelivery>;
}

/**
 * Changes by an actor are in the audit log.
 * @throws ApiError `forbidden` from this function where the plan has no webhooks or the installation sends none; from its methods
 * `not_found`, `invalid_url` and `invalid_request`
 */
export function webhookCommands(
  { store, targetGuard, settings }: Parts,
  account: Account,
  actor?: Actor,
): WebhookCommands {
  if (!planIncludes(account.plan, "webhooks"))
    throw new ApiError("forbidden", "The plan does not include webhooks.");
  if (!settings.webhooks) throw new ApiError("forbidden", "This installation sends no webhooks.");
  const { webhooks } = store;
  const { id: accountId } = account;

  return {
    async create(input) {
      const url = await allowedUrl(targetGuard, input.url, accountId);
      const { description = null, events } = input;
      const created = await webhooks.create(accountId, { url, description, events }, actor);
      if (created) return { ...toWebhook(created), secret: created.secret };
      throw new ApiError("invalid_request", `The account has ${MAX_WEBHOOKS} webhooks; remove one first.`);
    },
    list: async () => (await webhooks.list(accountId)).map(toWebhook),
    get: async (id) => toWebhook(found(await webhooks.get(accountId, id))),
    async update(id, change) {
      const url =
        change.url === undefined ? {} : { url: await allowedUrl(targetGuard, change.url, accountId) };
      return toWebhook(found(await webhooks.update(accountId, id, { ...change, ...url }, actor)));
    },
    async rotateSecret(id) {
      const rotated = found(await webhooks.rotateSecret(accountId, id, actor));
      return { ...toWebhook(rotated), secret: rotated.secret };
    },
    async remove(id) {
      if (!(await webhooks.remove(accountId, id, actor))) throw noSuchWebhook();
    },
    async deliveries(id, limit) {
      found(await webhooks.get(accountId, id));
      return (await webhooks.deliveries(accountId, id, limit)).map(toDelivery);
    },
    async sendAgain(id, delivery) {
      requireEnabled(found(await webhooks.get(accountId, id)));
      const sent = await webhooks.sendAgain(accountId, id, delivery);
      if (!sent) throw new ApiError("not_found", "No such delivery, or an attempt is under way.");
      return toDelivery(sent);
    },
    async test(id) {
      requireEnabled(found(await webhooks.get(accountId, id)));
      return toDelivery(found(await webhooks.test(accountId, id)));
    },
  };
}

/** In normal form. The egress policy decides again at each attempt. */
async function allowedUrl(guard: Services["targetGuard"], text: string, accountId: string): Promise<string> {
  const { href: url } = parseTargetUrl("url", text);
  if (guard.judge({ url }, accountId) === "lookUp") await guard.lookUp({ url }, accountId);
  return url;
}

const noSuchWebhook = (): ApiError => new ApiError("not_found", "No such webhook.");

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw noSuchWebhook();
  return row;
}

function requireEnabled({ disabledAt }: WebhookRow): void {
  if (disabledAt) throw new ApiError("invalid_request", "The webhook is disabled; enable it first.");
}

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  createdAt: row.createdAt.toISOString(),
  previousSecretUntil: textOf(row.previousSecretUntil),
  failingSince: textOf(row.failingSince),
  disabledAt: textOf(row.disabledAt),
  disabledReason: row.disabledReason,
});

const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  ...row,
  nextAttemptAt: row.status === "pending" ? row.nextAttemptAt.toISOString() : null,
  createdAt: row.createdAt.toISOString(),
  endedAt: textOf(row.endedAt),
});

const textOf = (moment: Date | null): string | null => moment && moment.toISOString();
