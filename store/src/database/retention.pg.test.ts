import { COMMAND_LINE } from "../audit/audit.ts";
import { newScanId } from "@glovebox/contract";
import type { Sql } from "postgres";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, clock, completed, created, newAccount, submit } from "../testing/fixtures.ts";
import type { Account, RetentionKind, Store } from "../index.ts";
import { openStore } from "../store.ts";
import { freshDatabase, openStoreAt, plainSql, type TestDatabase } from "../testing.ts";

const DAY_SECONDS = 86_400;
const policy = {
  scanDays: { free: 30, starter: 60, pro: 90, enterprise: 365 },
  usageDays: 400,
  deliveryDays: 30,
  auditDays: 400,
};

let database: TestDatabase;
let store: Store;
let sql: Sql;
let account: Account;
beforeEach(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  clock.at = NOON;
  store = await openStoreAt({ url: database.url }, () => clock.at);
  sql = plainSql(database.url);
  account = await newAccount(store, "free");
});
afterEach(async () => {
  await sql.end();
  await store.close();
  await database.drop();
});

const daysAgo = (days: number): Date => new Date(NOON.getTime() - days * DAY_SECONDS * 1000);

/** Scans of an account that ended this many days before NOON, with reports, counted as submissions count them. */
async function ended(count: number, days: number, of = account): Promise<void> {
  const prefix = `${newScanId(NOON)}-${days}`;
  await sql`
    with made as (
      insert into scans (id, account_id, url, status, created_at, ended_at, charged_month, charged_shard)
      select ${prefix} || '-' || n, ${of.id}, 'https://api.example/', 'completed', ${daysAgo(days)}, ${daysAgo(days)},
        '2026-01', 0 from generate_series(1, ${count}) as n returning id
    ) insert into reports (scan_id, body) select id, '{}' from made`;
  await sql`select count_scans(${of.id}, 0::smallint, ${count})`;
}

/** Deletes until nothing is left, and returns the sizes of the batches. */
async function deleted(kind: RetentionKind = "scans", limit = 500): Promise<number[]> {
  const batches: number[] = [];
  for (;;) {
    const rows = await store.retention.deleteBatch(kind, policy, limit);
    if (rows === 0) return batches;
    batches.push(rows);
  }
}
const sum = (numbers: readonly number[]): number => numbers.reduce((total, rows) => total + rows, 0);
const countOf = async (table: string): Promise<number> =>
  Number((await sql.unsafe<[{ count: string }]>(`select count(*) from ${table}`))[0].count);
const totalOf = async (of = account): Promise<number> =>
  (await store.scans.list(of.id, { limit: 1, offset: 0 })).total;

describe("ended scans", () => {
  test("older than they are kept are deleted in batches, of tens of thousands too, and the total stays right", async () => {
    await ended(20_300, 31);
    await ended(200, 29);
    const batches = await deleted();
    expect(sum(batches)).toBe(20_300);
    expect(Math.max(...batches)).toBe(500);
    expect(await countOf("scans")).toBe(200);
    expect(await countOf("reports")).toBe(200);
    expect(await totalOf()).toBe(200);
  });

  test("ended scans are kept as long as the plan of their account says", async () => {
    const plans = ["starter", "pro", "enterprise"] as const;
    const accounts = [account, ...(await Promise.all(plans.map((plan) => newAccount(store, plan))))];
    for (const of of accounts) for (const days of [31, 61, 91, 366]) await ended(3, days, of);
    expect(sum(await deleted())).toBe(12 + 9 + 6 + 3);
    expect(await Promise.all(accounts.map(totalOf))).toEqual([0, 3, 6, 9]);
  });

  test("ended scans are kept to the moment: a second less than the days, and they stay", async () => {
    const id = await created(store, account, { now: daysAgo(30) });
    await store.work.record(id, completed());
    clock.at = NOON;
    expect(await deleted()).toEqual([]);
    clock.at = new Date(NOON.getTime() + 1);
    expect(await deleted()).toEqual([1]);
    expect(await store.scans.get(account.id, id)).toBeUndefined();
  });

  test("ended scans of a plan that nothing is said of are kept", async () => {
    await ended(2, 4000);
    await sql`update accounts set plan = 'later' where id = ${account.id}`;
    expect(await deleted()).toEqual([]);
  });
});

test("a processing scan is never deleted, however old", async () => {
  const id = await created(store, account, { now: daysAgo(4000) });
  clock.at = NOON;
  expect(await deleted()).toEqual([]);
  expect((await store.scans.get(account.id, id))?.status).toBe("processing");
});

test("by the server's clock, what just ended stays and what ended long ago goes", async () => {
  await ended(2, 4000);
  const real = await openStore({ url: database.url });
  const id = await created(real, account);
  await real.work.record(id, completed());
  expect(await real.retention.deleteBatch("scans", policy, 10)).toBe(2);
  await real.close();
  expect(await countOf("scans")).toBe(1);
});

test("the usage of months that ended longer ago is deleted, and no other", async () => {
  const months = ["2024-12", "2025-09", "2025-10", "2025-11", "2026-10", "2026-11"];
  for (const month of months)
    await sql`insert into usage (account_id, month, shard, started) values (${account.id}, ${month}, 0, 1)`;
  expect(sum(await deleted("usage", 1))).toBe(2); // 400 days before 21 November 2026 it was October 2025
  const left = await sql`select month from usage order by month`;
  expect(left.map(({ month }) => month)).toEqual(months.slice(2));
});

test("idempotency keys are deleted when they are 24 hours old, and none before", async () => {
  const keyed = (key: string) => ({ idempotency: { key, bodyDigest: "digest" } });
  await submit(store, account, { now: new Date(NOON.getTime() - DAY_SECONDS * 1000 + 1), ...keyed("young") });
  await sql`
    insert into idempotency (account_id, key, body_digest, scan_id, created_at)
    select ${account.id}, 'old-' || n, 'digest', 'gone', ${daysAgo(1)} from generate_series(1, 700) as n`;
  clock.at = NOON;
  expect(await deleted("idempotencyKeys")).toEqual([500, 200]);
  expect((await sql`select key from idempotency`).map(({ key }) => key)).toEqual(["young"]);
});

test("entries of the audit log are deleted after their days, and none before", async () => {
  const change = store.changing(COMMAND_LINE, account.id);
  await change(async () => ({ result: undefined, entry: { action: "key.create", subject: "old" } }));
  clock.at = after(400 * DAY_SECONDS);
  expect(await deleted("auditEntries")).toEqual([]);
  await change(async () => ({ result: undefined, entry: { action: "key.create", subject: "new" } }));
  clock.at = after(400 * DAY_SECONDS + 1);
  expect(await deleted("auditEntries")).toEqual([1]);
  expect(await store.audit.list(account.id, { limit: 9 })).toMatchObject([{ subject: "new" }]);
});

test("sessions, invitations and challenges are deleted when they end, and none before", async () => {
  const [user] = await sql`insert into users (email, name) values ('a@example.com', 'A') returning id`;
  const hash = (text: string) => text.padEnd(64, "0");
  const session = (name: string, seenHours: number, days: number) => sql`
    insert into sessions (sha256, user_id, created_at, seen_at, expires_at)
    values (${hash(name)}, ${user!["id"]}, ${NOON}, ${after(-3600 * seenHours)}, ${after(86_400 * days)})`;
  await session("live", 11, 1);
  await session("idle", 12, 1);
  await session("old", 0, 0);
  for (const [name, days] of [
    ["live", 1],
    ["old", 0],
  ] as const) {
    await sql`
      insert into invitations (sha256, created_at, expires_at)
      values (${hash(name)}, ${NOON}, ${after(86_400 * days)})`;
    await sql`
      insert into challenges (sha256, user_id, purpose, challenge, expires_at)
      values (${hash(name)}, ${user!["id"]}, 'signIn', 'c', ${after(86_400 * days)})`;
  }
  clock.at = NOON;
  for (const [kind, ended] of [
    ["sessions", 2],
    ["invitations", 1],
    ["challenges", 1],
  ] as const) {
    expect(sum(await deleted(kind))).toBe(ended);
    expect((await sql`select sha256 from ${sql(kind)}`).map(({ sha256 }) => sha256)).toEqual([hash("live")]);
  }
});

describe("while the transaction of a batch is open", () => {
  test("scans of the same account are submitted, ended and listed", async () => {
    await ended(500, 31);
    await sql.begin(async (open) => {
      await open`select delete_old_scans(${JSON.stringify(policy.scanDays)}::text::jsonb, ${NOON}, 500)`;
      clock.at = NOON;
      const id = await created(store, account); // of a plan with a quota: all its counters are in one shard
      await store.work.record(id, completed());
      expect(await totalOf()).toBe(501);
    });
    expect(await totalOf()).toBe(1);
    expect(await countOf("scans")).toBe(1);
  });

  test("a scan that somebody holds is left for later", async () => {
    await ended(3, 31);
    await sql.begin(async (open) => {
      await open`select from scans limit 1 for update`;
      expect(await deleted()).toEqual([2]);
    });
    expect(await deleted()).toEqual([1]);
  });
});

test("a batch reads no more scans than it deletes, along the index", async () => {
  await ended(10_000, 31);
  await ended(10_000, 1);
  await sql`analyze scans`;
  const [before, afterwards] = await sql.begin(async (open) => {
    const tuplesRead = async () =>
      (
        await open<{ inSequence: number; byIndex: number }[]>`
        select seq_tup_read::int as "inSequence", idx_tup_fetch::int as "byIndex" from pg_stat_xact_user_tables
        where relname = 'scans'`
      )[0]!;
    const start = await tuplesRead();
    for (let batch = 0; batch < 8; batch++)
      await open`select delete_old_scans(${JSON.stringify(policy.scanDays)}::text::jsonb, ${NOON}, 100)`;
    return [start, await tuplesRead()];
  });
  expect(afterwards.inSequence - before.inSequence).toBe(0);
  expect(afterwards.byIndex - before.byIndex).toBe(800);
});
