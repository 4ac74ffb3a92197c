import { newScanId } from "@glovebox/contract";
import { openStore, type Store, StoreUnavailable } from "@glovebox/store";
import { overriding, plainSql } from "@glovebox/store/testing";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { createRetention, type Retention, type RetentionDeps } from "./retention.ts";

const settings = {
  retentionDays: { free: 30, starter: 60, pro: 90, enterprise: 365 },
  usageRetentionDays: 400,
  auditRetentionDays: 400,
};

let database: TestDatabase;
let store: Store;
let said: string[];
beforeEach(async () => {
  said = [];
  database = await testDatabase();
  store = await openStore({ url: database.url });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
  await database.drop();
});

const logger = {
  info: (...entry: unknown[]) => void said.push(String(entry.at(-1))),
  warn: (...entry: unknown[]) => void said.push(String(entry.at(-1))),
};
const retentionOver = (over: Partial<RetentionDeps> = {}): Retention =>
  createRetention({ store, logger, settings, pauseMs: 0, ...over });

/** What a scrape shows of it, without the time of the last run. */
async function scraped({ metrics }: Retention): Promise<Record<string, number>> {
  const registry = new Registry();
  for (const metric of metrics) registry.registerMetric(metric);
  const samples = (await registry.metrics()).split("\n").filter((line) => /^glovebox/.test(line));
  return Object.fromEntries(
    samples.map((line) => {
      const [name = "", value] = line.replaceAll(/glovebox_retention_/g, "").split(" ");
      return [name, name.startsWith("last_run") ? Math.sign(Number(value)) : Number(value)];
    }),
  );
}

/** The number of scans of an account that ended 31 days ago. */
async function oldScans(count: number): Promise<string> {
  const { id } = await store.accounts.declare({ name: "shop", plan: "free" });
  const sql = plainSql(database.url);
  await sql`
    insert into scans (id, account_id, url, status, created_at, ended_at, charged_month, charged_shard)
    select ${newScanId(new Date())} || n, ${id}, 'https://api.example/', 'completed', now() - interval '31 days',
      now() - interval '31 days', '2026-01', 0 from generate_series(1, ${count}) as n`;
  await sql`select count_scans(${id}, 0::smallint, ${count})`;
  await sql`
    insert into idempotency (account_id, key, body_digest, scan_id, created_at)
    values (${id}, 'old', 'digest', 'gone', now() - interval '25 hours')`;
  await sql`
    with hook as (
      insert into webhooks (account_id, url, events, secret, created_at)
      values (${id}, 'https://hooks.example/', '{scan.failed}', 'whsec_', now()) returning id
    )
    insert into webhook_deliveries (webhook_id, account_id, event_id, event, next_attempt_at, created_at)
    select hook.id, ${id}, 'old', 'webhook.test', now(), now() - interval '31 days' from hook`;
  await sql`insert into usage (account_id, month, shard, started) values (${id}, '2020-01', 0, 1)`;
  await sql.end();
  return id;
}
const left = async (account: string): Promise<number> =>
  (await store.scans.list(account, { limit: 1, offset: 0 })).total;

/** A store whose batches wait until they are let go, and its calls. */
function held() {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let calls = 0;
  const retention = overriding(store.retention, {
    async deleteBatch(...batch) {
      calls += 1;
      begun.resolve();
      await go.promise;
      return store.retention.deleteBatch(...batch);
    },
  });
  const holding = { retention, withLock: store.withLock };
  return { store: holding, begun: begun.promise, go: go.resolve, calls: () => calls };
}

test("a run deletes everything that is old, batch after batch, and says how much", async () => {
  const account = await oldScans(1_200);
  const retention = retentionOver();
  expect(await scraped(retention)).toEqual({
    'deleted_total{kind="scans"}': 0,
    'deleted_total{kind="idempotencyKeys"}': 0,
    'deleted_total{kind="usage"}': 0,
    'deleted_total{kind="targets"}': 0,
    'deleted_total{kind="sessions"}': 0,
    'deleted_total{kind="invitations"}': 0,
    'deleted_total{kind="challenges"}': 0,
    'deleted_total{kind="webhookDeliveries"}': 0,
    'deleted_total{kind="auditEntries"}': 0,
    last_run_timestamp_seconds: 0,
    failures_total: 0,
  });
  await retention.run();
  expect(await left(account)).toBe(0);
  expect(await scraped(retention)).toEqual({
    'deleted_total{kind="scans"}': 1_200,
    'deleted_total{kind="idempotencyKeys"}': 1,
    'deleted_total{kind="usage"}': 1,
    'deleted_total{kind="targets"}': 0,
    'deleted_total{kind="sessions"}': 0,
    'deleted_total{kind="invitations"}': 0,
    'deleted_total{kind="challenges"}': 0,
    'deleted_total{kind="webhookDeliveries"}': 1,
    'deleted_total{kind="auditEntries"}': 0,
    last_run_timestamp_seconds: 1,
    failures_total: 0,
  });
});

test("of two processes at the same time one runs, and the other does not say that it did", async () => {
  const account = await oldScans(10);
  const first = held();
  const running = retentionOver({ store: first.store });
  const run = running.run();
  await first.begun;
  const other = await openStore({ url: database.url });
  const second = retentionOver({ store: other });
  await second.run();
  expect(await left(account)).toBe(10);
  expect((await scraped(second))["last_run_timestamp_seconds"]).toBe(0);
  first.go();
  await run;
  expect(await left(account)).toBe(0);
  await other.close();
});

test("a stop waits for the batch under way, begins no other, and is not a failure", async () => {
  const account = await oldScans(1_200);
  const { store: slow, begun, go, calls } = held();
  const retention = retentionOver({ store: slow, pauseMs: 3_600_000 });
  const run = retention.run();
  await begun;
  const stopped = retention.stop();
  go();
  await Promise.all([stopped, run]);
  expect(calls()).toBe(1);
  expect(await left(account)).toBe(700);
  expect(await scraped(retention)).toMatchObject({ last_run_timestamp_seconds: 0, failures_total: 0 });
});

test("a run that an outage breaks off is counted and logged, and the next one does the rest", async () => {
  const account = await oldScans(10);
  let isAway = true;
  const flaky = overriding(store.retention, {
    async deleteBatch(...batch) {
      if (isAway) throw new StoreUnavailable(new Error("away"));
      return store.retention.deleteBatch(...batch);
    },
  });
  const retention = retentionOver({ store: { retention: flaky, withLock: store.withLock } });
  await retention.run();
  expect(said).toEqual(["retention failed, the next run retries"]);
  expect(await scraped(retention)).toMatchObject({ last_run_timestamp_seconds: 0, failures_total: 1 });
  isAway = false;
  await retention.run();
  expect(await left(account)).toBe(0);
  expect(await scraped(retention)).toMatchObject({ last_run_timestamp_seconds: 1, failures_total: 1 });
});

test("a database that cannot be reached is also a failure", async () => {
  const nowhere = await openStore({ url: "postgres://nobody@127.0.0.1:1/none" });
  const retention = retentionOver({ store: nowhere });
  await retention.run();
  expect(await scraped(retention)).toMatchObject({ last_run_timestamp_seconds: 0, failures_total: 1 });
  await nowhere.close();
});

test("it runs some minutes after the start, then every hour also after a failure, and not after the stop", async () => {
  vi.useFakeTimers();
  let runs = 0;
  const failing = {
    retention: store.retention,
    withLock: async () => {
      runs += 1;
      throw new StoreUnavailable(new Error("away"));
    },
  };
  const retention = retentionOver({ store: failing });
  retention.start();
  await vi.advanceTimersByTimeAsync(4 * 60_000);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(66 * 60_000);
  expect(runs).toBe(2);
  await retention.stop();
  await vi.advanceTimersByTimeAsync(5 * 3_600_000);
  expect(runs).toBe(2);
});
