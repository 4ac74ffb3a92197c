import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Sql } from "postgres";
import { NOON, after, clock, created, crashed, newAccount } from "../testing/fixtures.ts";
import type { Account, Store } from "../index.ts";
import { freshDatabase, openStoreAt, plainSql, type TestDatabase } from "../testing.ts";
import { reporting, type SampleFinding } from "../testing/sample-reports.ts";

let database: TestDatabase;
let store: Store;
let sql: Sql;
let account: Account;
let stranger: Account;
let ids: string[];

const finding = (letter: string, more: Partial<SampleFinding> = {}): SampleFinding => ({
  ...{ id: letter.repeat(16), places: [`GET /${letter}`] },
  ...more,
});
const SHOP = "https://shop.example/";
const BANK = "https://bank.example/";

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
  sql = plainSql(database.url);
  account = await newAccount(store);
  stranger = await newAccount(store);
  const scan = (url: string, day: number) =>
    created(store, account, { url, now: after(day * 86_400), ...(url === BANK && { context: "financial" }) });
  ids = [];
  ids.push(await scan(SHOP, 0));
  await store.work.record(
    ids[0]!,
    reporting([finding("a", { severity: "critical" }), finding("b", { title: "100% of _" })]),
  );
  ids.push(await scan(BANK, 1));
  await store.work.record(ids[1]!, reporting([finding("c", { severity: "low" })]));
  ids.push(await scan(SHOP, 2));
  await store.work.record(ids[2]!, reporting([finding("b", { title: "100% of _" })], ["GET /a"]));
  ids.push(await scan(SHOP, 3));
  await store.work.record(ids[3]!, crashed);
  ids.push(await scan(BANK, 4));
});
afterAll(async () => {
  await sql.end();
  await store.close();
  await database.drop();
});

const page = { limit: 50, offset: 0 };

describe("findings", () => {
  const letters = async (query: Parameters<Store["findings"]["list"]>[1], of = account) => {
    const { rows, total } = await store.findings.list(of.id, query);
    expect(total).toBe(query.text === "" ? total : Math.max(total, rows.length));
    return rows.map(({ findingId }) => findingId[0]).join("");
  };
  test.each<[string, Partial<Parameters<Store["findings"]["list"]>[1]>, string]>([
    ["come worst first", {}, "abc"],
    ["come newest first", { sort: "newest" }, "cba"],
    ["come oldest first", { sort: "oldest" }, "abc"],
    ["are filtered by status", { status: ["open"] }, "bc"],
    ["are filtered by several statuses", { status: ["open", "fixed"] }, "abc"],
    ["are none of no status", { status: [] }, ""],
    ["are filtered by severity", { severity: ["low", "critical"] }, "ac"],
    ["are filtered by category", { category: "encryption" }, ""],
    ["are filtered by check", { check: "ssrf/sample" }, "abc"],
    ["are searched for a text, signs of patterns included", { text: "0% OF _" }, "b"],
    ["are searched for a location", { text: "/c" }, "c"],
    ["are those that were ticked", { ids: [] }, ""],
    ["are paged", { limit: 1, offset: 1 }, "b"],
  ])("%s", async (_, query, expected) => {
    expect(await letters({ ...page, ...query })).toBe(expected);
  });

  test("findings are filtered by target, and are none of another account", async () => {
    const { rows } = await store.targets.list(account.id, { ...page, text: "bank" });
    expect(await letters({ ...page, target: rows[0]!.id })).toBe("c");
    expect(await letters({ ...page, target: rows[0]!.id }, stranger)).toBe("");
  });

  test("findings have a total beyond the page, also of a page without rows", async () => {
    expect(await store.findings.list(account.id, { limit: 1, offset: 0 })).toMatchObject({
      total: 3,
      hasMore: false,
    });
    expect(await store.findings.list(account.id, { limit: 5, offset: 9 })).toEqual({
      rows: [],
      total: 3,
      hasMore: false,
    });
  });

  test("findings are the same in the preview of a decision", async () => {
    const open = await store.findings.list(account.id, { ...page, status: ["open"] });
    expect(await store.findings.idsOf(account.id, { status: ["open"] })).toEqual(
      open.rows.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });
});

describe("scans", () => {
  test.each<[string, Partial<Parameters<Store["scanSearch"]["list"]>[1]>, number[]]>([
    ["come newest first", {}, [4, 3, 2, 1, 0]],
    ["come oldest first", { sort: "oldest" }, [0, 1, 2, 3, 4]],
    ["are sorted by score, those with one", { sort: "best" }, [2, 1, 0]],
    ["are filtered by status", { status: "failed" }, [3]],
    ["are filtered by grade", { grade: "A" }, [2, 1, 0]],
    ["are filtered by context", { context: "financial" }, [4, 1]],
    [
      "are filtered by time",
      { from: after(86_400).toISOString(), until: after(3 * 86_400).toISOString() },
      [2, 1],
    ],
    ["are searched by URL, running ones included", { text: "BANK" }, [4, 1]],
    ["are searched by URL and status", { text: "shop", status: "completed" }, [2, 0]],
    ["are paged", { limit: 2, offset: 1 }, [3, 2]],
  ])("%s", async (_, query, expected) => {
    const { rows } = await store.scanSearch.list(account.id, { ...page, ...query });
    expect(rows.map(({ id }) => ids.indexOf(id))).toEqual(expected);
  });

  test("scans are the account's only, with a total beyond the page", async () => {
    expect((await store.scanSearch.list(stranger.id, page)).total).toBe(0);
    const [target] = (await store.targets.list(account.id, { ...page, text: "shop" })).rows;
    const query = { limit: 1, offset: 0, target: target!.id };
    expect(await store.scanSearch.list(account.id, query)).toMatchObject({ total: 3, hasMore: false });
    expect(await store.scanSearch.list(stranger.id, query)).toMatchObject({ total: 0, rows: [] });
  });
});

describe("targets", () => {
  test("targets have their last scan, their last report and their open findings", async () => {
    const { rows, total } = await store.targets.list(account.id, { ...page, sort: "url" });
    expect(total).toBe(2);
    expect(rows).toMatchObject([
      { url: BANK, lastStatus: "completed", grade: "A", open: { critical: 0, low: 1 } },
      {
        url: SHOP,
        lastStatus: "failed",
        score: 93,
        open: { critical: 0, high: 1 },
        coverage: { operations: 1 },
      },
    ]);
    expect((await store.targets.list(account.id, { ...page, status: "failed" })).rows).toHaveLength(1);
    expect((await store.targets.list(stranger.id, page)).rows).toEqual([]);
  });

  test("targets have a point of their trend for each day with a report, and the time to fix", async () => {
    const [shop] = (await store.targets.list(account.id, { ...page, text: "shop" })).rows;
    expect(await store.targets.get(account.id, shop!.id)).toMatchObject({
      trend: [
        { day: "2026-11-21", scanId: ids[0], score: 93, open: { critical: 1, high: 1 } },
        { day: "2026-11-23", scanId: ids[2], score: 93, open: { critical: 0, high: 1 } },
      ],
      fixed: { count: 1, medianHours: 48 },
    });
    expect(await store.targets.get(stranger.id, shop!.id)).toBeUndefined();
  });

  test("targets are deleted, with their findings, when they were not scanned for long and have no scan", async () => {
    const deleted = await newAccount(store);
    clock.at = NOON;
    const scan = await created(store, deleted, { url: SHOP });
    await store.work.record(scan, reporting([finding("a")]));
    await sql`delete from scans where id = ${scan}`;
    const policy = {
      scanDays: { free: 1, starter: 1, pro: 1, enterprise: 9_999 },
      usageDays: 400,
      deliveryDays: 30,
      auditDays: 400,
    };
    expect(await store.retention.deleteBatch("targets", policy, 10)).toBe(0);
    clock.at = after(401 * 86_400);
    expect(await store.retention.deleteBatch("targets", policy, 10)).toBe(1);
    expect((await store.findings.list(deleted.id, page)).rows).toEqual([]);
    expect((await store.targets.list(account.id, page)).rows).toHaveLength(2);
  });
});

test("the overview counts what needs attention, of the account only", async () => {
  clock.at = after(4 * 86_400);
  const [open] = await store.findings.idsOf(account.id, { severity: ["low"] });
  const expiresAt = after(6 * 86_400).toISOString();
  const decision = { event: "accepted", reason: "Known", expiresAt } as const;
  const actor = { userId: null, keyId: null, name: "ann", ip: null, requestId: "r" };
  await store.findings.decide(account.id, [open!], { decision, actor });
  expect(await store.overview.get(account.id)).toEqual({
    newCriticals: 0,
    failedScans: 1,
    runningScans: 1,
    expiringAcceptances: 1,
    grades: { A: 2 },
    open: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
    usage: { started: 4, scansPerMonth: null }, // the crash was refunded,
  });
  expect(await store.overview.get(stranger.id)).toMatchObject({
    failedScans: 0,
    grades: {},
    usage: { started: 0 },
  });
});
