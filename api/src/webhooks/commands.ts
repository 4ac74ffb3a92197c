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
import type { Account, Actor, Changing, DeliveryRow, WebhookRow } from "@glovebox/store";
import type { Services } from "../deps.ts";

/**
 * The webhooks of an account, with the rules that hold however a client asks: over `/v1` or the admin interface. Changes are in
 * the audit log.
 * @throws ApiError `forbidden` from the constructor where the plan has no webhooks or the installation sends none; from its methods
 * `not_found`, `invalid_url` and `invalid_request`
 */
export class WebhookCommands {
  readonly #webhooks: Services["store"]["webhooks"];
  readonly #guard: Services["targetGuard"];
  readonly #accountId: string;
  readonly #change: Changing;

  constructor(
    { store, targetGuard, settings }: Pick<Services, "store" | "targetGuard" | "settings">,
    { account, actor }: { readonly account: Account; readonly actor: Actor },
  ) {
    if (!planIncludes(account.plan, "webhooks"))
      throw new ApiError("forbidden", "The plan does not include webhooks.");
    if (!settings.webhooks) throw new ApiError("forbidden", "Webhooks are disabled in this installation.");
    this.#webhooks = store.webhooks;
    this.#guard = targetGuard;
    this.#accountId = account.id;
    this.#change = store.changing(actor, account.id);
  }

  async create(input: WebhookInput): Promise<NewWebhook> {
    const url = await allowedUrl(this.#guard, input.url, this.#accountId);
    const { description = null, events } = input;
    return this.#change(async ({ webhooks }) => {
      const created = await webhooks.create(this.#accountId, { url, description, events });
      if (!created)
        throw new ApiError("invalid_request", `The account has ${MAX_WEBHOOKS} webhooks; delete one first.`);
      const entry = { action: "webhook.create", subject: url, after: settingsOf(created) };
      return { result: { ...toWebhook(created), secret: created.secret }, entry };
    });
  }

  async list(): Promise<Webhook[]> {
    return (await this.#webhooks.list(this.#accountId)).map(toWebhook);
  }

  async get(id: string): Promise<Webhook> {
    return toWebhook(await this.#find(id));
  }

  async update(id: string, change: WebhookChange): Promise<Webhook> {
    const url =
      change.url === undefined ? {} : { url: await allowedUrl(this.#guard, change.url, this.#accountId) };
    return this.#change(async ({ webhooks }) => {
      const before = settingsOf(found(await webhooks.lock(this.#accountId, id)));
      const changed = found(await webhooks.update(this.#accountId, id, { ...change, ...url }));
      const entry = { action: "webhook.update", subject: changed.url, before, after: settingsOf(changed) };
      return { result: toWebhook(changed), entry };
    });
  }

  rotateSecret(id: string): Promise<NewWebhook> {
    return this.#change(async ({ webhooks }) => {
      const rotated = found(await webhooks.rotateSecret(this.#accountId, id));
      const entry = { action: "webhook.rotateSecret", subject: rotated.url, after: { id } };
      return { result: { ...toWebhook(rotated), secret: rotated.secret }, entry };
    });
  }

  remove(id: string): Promise<void> {
    return this.#change(async ({ webhooks }) => {
      const removed = found(await webhooks.remove(this.#accountId, id));
      const entry = { action: "webhook.delete", subject: removed.url, before: settingsOf(removed) };
      return { result: undefined, entry };
    });
  }

  /** The newest ones. */
  async deliveries(id: string, limit: number): Promise<WebhookDelivery[]> {
    await this.#find(id);
    return (await this.#webhooks.deliveries(this.#accountId, id, limit)).map(toDelivery);
  }

  sendAgain(id: string, delivery: string): Promise<WebhookDelivery> {
    return this.#change(async ({ webhooks }) => {
      const { url } = enabled(await webhooks.get(this.#accountId, id));
      const sent = await webhooks.sendAgain(this.#accountId, id, delivery);
      if (!sent) throw new ApiError("not_found", "No such delivery, or an attempt is in progress.");
      const after = { id, delivery, event: sent.event };
      return { result: toDelivery(sent), entry: { action: "webhook.sendAgain", subject: url, after } };
    });
  }

  /** Enqueues an event of the type `webhook.test`. */
  test(id: string): Promise<WebhookDelivery> {
    return this.#change(async ({ webhooks }) => {
      const { url } = enabled(await webhooks.get(this.#accountId, id));
      const sent = found(await webhooks.test(this.#accountId, id));
      const after = { id, delivery: sent.id };
      return { result: toDelivery(sent), entry: { action: "webhook.test", subject: url, after } };
    });
  }

  async #find(id: string): Promise<WebhookRow> {
    return found(await this.#webhooks.get(this.#accountId, id));
  }
}

/** What the audit log has of a webhook: never a secret. */
const settingsOf = ({ id, url, events, disabledAt }: WebhookRow) => ({
  ...{ id, url, events, enabled: disabledAt === null },
});

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

function enabled(row: WebhookRow | undefined): WebhookRow {
  const webhook = found(row);
  if (webhook.disabledAt) throw new ApiError("invalid_request", "The webhook is disabled; enable it first.");
  return webhook;
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
