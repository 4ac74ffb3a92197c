import { MAX_WEBHOOKS, WEBHOOK_EVENTS, type WebhookEvent } from "@glovebox/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import {
  NOON,
  after,
  clock,
  completed,
  connectionRefused,
  created,
  newAccount,
} from "../testing/fixtures.ts";
import type { Account, ClaimedDelivery, Store } from "../index.ts";
import { freshDatabase, openStoreAt, plainSql, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let store: Store;
let account: Account;
beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});
beforeEach(async () => {
  clock.at = NOON;
  const sql = plainSql(database.url);
  await sql`delete from webhooks`;
  await sql.end();
  account = await newAccount(store);
});

const webhookOf = async (of = account, events: readonly WebhookEvent[] = WEBHOOK_EVENTS) =>
  (await store.webhooks.create(of.id, {
    url: "https://hooks.example/",
    events: [...events],
    description: null,
  }))!;

async function ended(outcome = completed(), of = account): Promise<string> {
  const id = await created(store, of, { now: clock.at });
  await store.work.record(id, outcome);
  return id;
}

const ALL = { limit: 100, perAccount: 100, perWebhook: 100 };
const claim = (limits: Partial<typeof ALL> = {}): Promise<ClaimedDelivery[]> =>
  store.deliveries.claim(60, { ...ALL, ...limits });
const failed = { payload: "{}", status: 500, error: "The receiver responded with 500." };
const delivered = { payload: "{}", status: 204, error: null, retrySeconds: null };

describe("what is enqueued", () => {
  test("a scan that ends enqueues its event for each webhook that wants it, under one event id", async () => {
    await Promise.all([webhookOf(), webhookOf(), webhookOf(account, ["scan.failed"])]);
    const scan = await ended();
    const due = await claim();
    expect(due.map(({ event, eventId, scanId }) => [event, eventId, scanId])).toEqual([
      ["scan.completed", `${scan}-completed`, scan],
      ["scan.completed", `${scan}-completed`, scan],
    ]);
  });

  test("a second scan of the same URL may be a regression from the first, regardless of other URLs that were scanned", async () => {
    await webhookOf(account, ["scan.regressed"]);
    const first = await ended();
    clock.at = after(10);
    const elsewhere = await created(store, account, { url: "https://other.example/" });
    await store.work.record(elsewhere, completed());
    await ended(connectionRefused);
    clock.at = after(20);
    const second = await ended();
    expect(await claim()).toMatchObject([
      { event: "scan.regressed", eventId: `${second}-regressed`, scanId: second, previousScanId: first },
    ]);
  });

  test("a failed scan and a cancelled one enqueue scan.failed", async () => {
    await webhookOf();
    const refused = await ended(connectionRefused);
    const cancelled = await created(store, account);
    await store.scans.remove(account.id, cancelled);
    const due = await claim();
    expect(due.map(({ event, scanId }) => `${event} ${scanId}`).toSorted()).toEqual(
      [`scan.failed ${refused}`, `scan.failed ${cancelled}`].toSorted(),
    );
  });

  test("an outcome that comes too late enqueues nothing", async () => {
    await webhookOf();
    const scan = await ended();
    expect(await store.work.record(scan, connectionRefused)).toBe(false);
    expect(await claim()).toHaveLength(1);
  });

  test("webhooks of other accounts and disabled ones get nothing", async () => {
    const { id } = await webhookOf();
    await webhookOf(await newAccount(store));
    await store.webhooks.update(account.id, id, { enabled: false });
    await ended();
    expect(await claim()).toEqual([]);
  });

  test("deleting a scan deletes its deliveries", async () => {
    const { id } = await webhookOf();
    const scan = await ended();
    await store.scans.remove(account.id, scan);
    expect(await store.webhooks.deliveries(account.id, id, 10)).toEqual([]);
  });
});

describe("claims", () => {
  test("two processes that claim at the same time never get the same delivery", async () => {
    await webhookOf(account, ["scan.completed"]);
    for (let scan = 0; scan < 6; scan++) await ended();
    const claims = await Promise.all([1, 2, 3, 4].map(() => claim({ limit: 2 })));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    expect(ids).toHaveLength(6);
  });

  test("a delivery that was not recorded within its claim is due again, and counts another attempt", async () => {
    await webhookOf();
    await ended();
    expect(await claim()).toMatchObject([{ attempts: 1 }]);
    clock.at = after(59);
    expect(await claim()).toEqual([]);
    clock.at = after(60);
    expect(await claim()).toMatchObject([{ attempts: 2 }]);
  });

  test("an attempt whose claim has expired no longer changes the delivery", async () => {
    const { id } = await webhookOf();
    await ended();
    const [stale] = await claim();
    clock.at = after(60);
    await claim();
    await store.deliveries.record(stale!, delivered);
    expect(await store.webhooks.deliveries(account.id, id, 1)).toMatchObject([{ status: "pending" }]);
  });

  test("an account with many due deliveries takes no more than its share, and another account is served", async () => {
    await webhookOf();
    for (let scan = 0; scan < 12; scan++) await ended();
    const other = await newAccount(store);
    await webhookOf(other);
    clock.at = after(1);
    await ended(completed(), other);
    const limits = { limit: 6, perAccount: 8, perWebhook: 5 };
    const first = await claim(limits);
    expect(first.filter(({ accountId }) => accountId === account.id)).toHaveLength(5);
    expect(first.filter(({ accountId }) => accountId === other.id)).toHaveLength(1);
    expect(await claim(limits)).toEqual([]);
  });

  test("several webhooks of an account together stay below the limit of the account", async () => {
    await Promise.all([webhookOf(), webhookOf(), webhookOf()]);
    for (let scan = 0; scan < 4; scan++) await ended();
    expect(await claim({ perAccount: 4, perWebhook: 2 })).toHaveLength(4);
    expect(await claim({ perAccount: 4, perWebhook: 2 })).toEqual([]);
  });
});

describe("what is recorded", () => {
  test("a failed attempt waits for the next one, and the log tells the status and the reason", async () => {
    const { id } = await webhookOf();
    await ended();
    const [first] = await claim();
    await store.deliveries.record(first!, { ...failed, retrySeconds: 30 });
    expect(await store.webhooks.deliveries(account.id, id, 1)).toMatchObject([
      { status: "pending", attempts: 1, nextAttemptAt: after(30), lastStatus: 500, lastError: failed.error },
    ]);
    clock.at = after(30);
    expect(await claim()).toMatchObject([{ payload: "{}", eventId: first!.eventId, attempts: 2 }]);
  });

  test("a webhook that failed for three days is disabled when an event is given up; what waits is also given up", async () => {
    const { id } = await webhookOf(account, ["scan.completed"]);
    await ended();
    const [first] = await claim();
    await store.deliveries.record(first!, { ...failed, retrySeconds: null });
    expect(await store.webhooks.get(account.id, id)).toMatchObject({ failingSince: NOON, disabledAt: null });

    clock.at = after(3 * 86_400);
    await ended();
    const [second] = await claim();
    await ended();
    await store.deliveries.record(second!, { ...failed, retrySeconds: null });
    expect(await store.webhooks.get(account.id, id)).toMatchObject({
      disabledAt: clock.at,
      disabledReason:
        "No delivery succeeded since 2026-11-21 12:00 UTC. The last error: The receiver responded with 500.",
    });
    const log = await store.webhooks.deliveries(account.id, id, 10);
    expect(log.map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
  });

  test("a webhook that is disabled while an attempt is recorded gives up the delivery, and neither waits for the other", async () => {
    const { id } = await webhookOf();
    await ended();
    const [delivery] = await claim();
    const sql = plainSql(database.url);
    const disabling = await sql.reserve();
    try {
      await disabling`begin`;
      await disabling`select from webhooks where id = ${id} for update`;
      const recording = store.deliveries.record(delivery!, { ...failed, retrySeconds: 60 });
      await expect
        .poll(
          () =>
            sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        .toHaveLength(1);
      await disabling`update webhook_deliveries set status = 'failed' where webhook_id = ${id}`;
      await disabling`commit`;
      await recording;
    } finally {
      disabling.release();
      await sql.end();
    }
    const [log] = await store.webhooks.deliveries(account.id, id, 1);
    expect(log).toMatchObject({ status: "failed", lastStatus: null });
  });

  test("one success in between starts the three days again", async () => {
    const { id } = await webhookOf();
    await ended();
    const [first] = await claim();
    await store.deliveries.record(first!, { ...failed, retrySeconds: null });
    await ended();
    const [second] = await claim();
    await store.deliveries.record(second!, delivered);
    clock.at = after(4 * 86_400);
    await ended();
    const [third] = await claim();
    await store.deliveries.record(third!, { ...failed, retrySeconds: null });
    expect(await store.webhooks.get(account.id, id)).toMatchObject({
      failingSince: clock.at,
      disabledAt: null,
    });
  });

  test("a webhook that is enabled again has forgotten its failures", async () => {
    const { id } = await webhookOf();
    await ended();
    const [first] = await claim();
    await store.deliveries.record(first!, { ...failed, retrySeconds: null, disable: "It is gone." });
    expect(await store.webhooks.get(account.id, id)).toMatchObject({ disabledReason: "It is gone." });
    expect(await store.webhooks.update(account.id, id, { enabled: true })).toMatchObject({
      ...{ disabledAt: null, disabledReason: null, failingSince: null },
    });
  });

  test("what was given up is sent again with the same event id and all attempts", async () => {
    const { id } = await webhookOf();
    await ended();
    const [first] = await claim();
    expect(await store.webhooks.sendAgain(account.id, id, first!.id)).toBeUndefined(); // under way
    await store.deliveries.record(first!, { ...failed, retrySeconds: null });
    await store.webhooks.sendAgain(account.id, id, first!.id);
    expect(await claim()).toMatchObject([{ eventId: first!.eventId, attempts: 1 }]);
  });
});

describe("management", () => {
  test("the old secret signs for 24 hours after a rotation", async () => {
    const { id, secret } = await webhookOf();
    const rotated = await store.webhooks.rotateSecret(account.id, id);
    expect(rotated!.secret).not.toBe(secret);
    await store.webhooks.test(account.id, id);
    expect(await claim()).toMatchObject([{ secret: rotated!.secret, previousSecret: secret }]);
    clock.at = after(86_400);
    await store.webhooks.test(account.id, id);
    expect((await claim()).at(-1)).toMatchObject({ previousSecret: null });
  });

  test("an account has a limited number of webhooks", async () => {
    for (let webhook = 0; webhook < MAX_WEBHOOKS; webhook++) expect(await webhookOf()).toBeDefined();
    expect(await webhookOf()).toBeUndefined();
  });

  test("an account has no more webhooks when many are created at the same time", async () => {
    const created = await Promise.all(Array.from({ length: 2 * MAX_WEBHOOKS }, () => webhookOf()));
    expect(created.filter((webhook) => webhook !== undefined)).toHaveLength(MAX_WEBHOOKS);
    expect(await store.webhooks.list(account.id)).toHaveLength(MAX_WEBHOOKS);
  });

  test("another account neither reads nor changes a webhook", async () => {
    const { id } = await webhookOf();
    const other = (await newAccount(store)).id;
    const delivery = (await store.webhooks.test(account.id, id))!.id;
    expect(await store.webhooks.get(other, id)).toBeUndefined();
    expect(await store.webhooks.list(other)).toEqual([]);
    expect(await store.webhooks.update(other, id, { enabled: false })).toBeUndefined();
    expect(await store.webhooks.rotateSecret(other, id)).toBeUndefined();
    expect(await store.webhooks.test(other, id)).toBeUndefined();
    expect(await store.webhooks.deliveries(other, id, 10)).toEqual([]);
    expect(await store.webhooks.sendAgain(other, id, delivery)).toBeUndefined();
    expect(await store.webhooks.remove(other, id)).toBeUndefined();
    expect(await store.webhooks.get(account.id, id)).toMatchObject({ disabledAt: null });
  });

  test("deliveries older than the retention are deleted, and no others", async () => {
    const { id } = await webhookOf(account, ["scan.completed"]);
    await ended();
    clock.at = after(30 * 86_400 + 1);
    await ended();
    const policy = {
      scanDays: { free: 1, starter: 1, pro: 1, enterprise: 1 },
      usageDays: 400,
      deliveryDays: 30,
      auditDays: 400,
    };
    expect(await store.retention.deleteBatch("webhookDeliveries", policy, 10)).toBe(1);
    const left = await store.webhooks.deliveries(account.id, id, 10);
    expect(left.map(({ createdAt }) => createdAt)).toEqual([clock.at]);
  });
});
