import { isolationFailure, newScanId } from "@glovebox/contract";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import {
  NOON,
  after,
  clock,
  completed,
  created,
  newAccount,
  connectionRefused,
} from "../testing/fixtures.ts";
import { PAGE_QUERY } from "./scans.ts";
import type { Store } from "../index.ts";
import { freshDatabase, openStoreAt } from "../testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let sql: Sql;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
});
beforeEach(() => {
  clock.at = NOON;
});
afterAll(async () => {
  await Promise.all([store.close(), sql.end()]);
  await database.drop();
});

describe("reading a scan", () => {
  test("a processing scan has its request and progress, and no report", async () => {
    const account = await newAccount(store);
    const id = await created(store, account, { specUrl: "https://api.example/spec", context: "financial" });
    await store.work.progress(
      id,
      { frame: "progress", category: "ssrf", done: 1, planned: 2 },
      { done: 3, planned: 9 },
    );
    expect(await store.scans.get(account.id, id)).toEqual({
      ...{ id, accountId: account.id, url: "https://api.example/v1", specUrl: "https://api.example/spec" },
      ...{ context: "financial", status: "processing", createdAt: NOON, endedAt: null },
      ...{ progress: { done: 3, planned: 9 }, failure: null, score: null, grade: null, findingsCount: 0 },
      ...{ attempts: 0, resourceUid: null, include: null, exclude: null, identityNames: null, mode: null },
      packedReport: null,
    });
  });

  test("a failed scan has its failure and no report", async () => {
    const account = await newAccount(store);
    const id = await created(store, account);
    await store.work.record(id, connectionRefused);
    const found = await store.scans.get(account.id, id);
    expect(found).toMatchObject({ status: "failed", endedAt: NOON, score: null, packedReport: null });
    expect(found?.failure?.code).toBe("connection_refused");
  });

  test("a failed scan keeps the reason of its failure; a row of an older release has none", async () => {
    const account = await newAccount(store);
    const id = await created(store, account);
    const failure = isolationFailure("CanaryLost");
    await store.work.record(id, { status: "failed", failure });
    expect((await store.scans.get(account.id, id))?.failure).toEqual(failure);
    await sql`update scans set failure_reason = null where id = ${id}`;
    const { code, message } = failure;
    expect((await store.scans.get(account.id, id))?.failure).toEqual({ code, message });
  });

  test("another account's scan is not there", async () => {
    const id = await created(store, await newAccount(store));
    expect(await store.scans.get((await newAccount(store)).id, id)).toBeUndefined();
  });
});

describe("removing a scan", () => {
  test("cancels it while it is processed, then deletes it with its report and takes it off the total", async () => {
    const account = await newAccount(store);
    const [id, kept] = [await created(store, account), await created(store, account)];
    expect(await store.scans.remove(account.id, id)).toBe("cancelled");
    expect(await store.scans.get(account.id, id)).toMatchObject({
      status: "failed",
      failure: { code: "cancelled", message: "The scan was cancelled." },
    });
    expect(await store.scans.remove(account.id, id)).toBe("deleted");
    expect(await store.scans.remove(account.id, id)).toBe("missing");
    expect(await store.scans.list(account.id, { limit: 9, offset: 0 })).toMatchObject({
      scans: [{ id: kept }],
      total: 1,
    });
  });

  test("removing a scan of a completed scan leaves no report behind", async () => {
    const account = await newAccount(store);
    const id = await created(store, account);
    await store.work.record(id, completed());
    expect(await store.scans.remove(account.id, id)).toBe("deleted");
    expect(await sql`select from reports where scan_id = ${id}`).toHaveLength(0);
  });

  test("removing a scan of one scan, asked for 10 times at the same time, cancels once and deletes once", async () => {
    const account = await newAccount(store);
    const id = await created(store, account);
    const responses = await Promise.all(Array.from({ length: 10 }, () => store.scans.remove(account.id, id)));
    expect(responses.toSorted()).toEqual(["cancelled", "deleted", ...Array(8).fill("missing")]);
    expect(await store.scans.list(account.id, { limit: 9, offset: 0 })).toEqual({ scans: [], total: 0 });
  });

  test("removing a scan of another account's scan finds nothing and changes nothing", async () => {
    const account = await newAccount(store);
    const id = await created(store, account);
    expect(await store.scans.remove((await newAccount(store)).id, id)).toBe("missing");
    expect((await store.scans.get(account.id, id))?.status).toBe("processing");
  });
});

describe("listing scans", () => {
  test("pages go from the newest to the oldest, with the total on each, also past the end", async () => {
    const account = await newAccount(store);
    const ids: string[] = [];
    for (let second = 0; second < 5; second++)
      ids.unshift(await created(store, account, { now: after(second) }));
    const page = async (limit: number, offset: number) => {
      const { scans, total } = await store.scans.list(account.id, { limit, offset });
      return [scans.map(({ id }) => id), total];
    };
    expect(await page(2, 0)).toEqual([ids.slice(0, 2), 5]);
    expect(await page(2, 4)).toEqual([ids.slice(4), 5]);
    expect(await page(2, 50)).toEqual([[], 5]);
  });

  test("scans of the same moment keep one order: by id, the greatest first", async () => {
    const account = await newAccount(store);
    const ids = await Promise.all(Array.from({ length: 6 }, () => created(store, account)));
    const { scans } = await store.scans.list(account.id, { limit: 10, offset: 0 });
    expect(scans.map(({ id }) => id)).toEqual(ids.toSorted().toReversed());
  });

  test("a completed scan shows score, grade and number of findings", async () => {
    const account = await newAccount(store);
    const id = await created(store, account);
    await store.work.record(id, completed());
    const { scans } = await store.scans.list(account.id, { limit: 1, offset: 0 });
    expect(scans).toEqual([
      {
        ...{
          id,
          url: "https://api.example/v1",
          status: "completed",
          score: 93,
          grade: "A",
          findingsCount: 0,
        },
        createdAt: NOON.toISOString(),
      },
    ]);
  });
});

describe("an account of 200,000 scans", () => {
  let accountId: string;
  beforeAll(async () => {
    accountId = (await newAccount(store)).id;
    await insertScans(accountId, 200_000);
    await sql.unsafe(`prepare page (uuid, bigint, bigint) as ${PAGE_QUERY}`);
  });

  test.each([
    ["force_custom_plan", 0],
    ["force_custom_plan", 10_000],
    ["force_generic_plan", 0],
    ["force_generic_plan", 10_000],
  ])(
    "an account of 200,000 scans is listed along the index, nothing sorted and no more read than must be (%s, offset %i)",
    async (mode, offset) => {
      await sql.unsafe(`set plan_cache_mode = ${mode}`);
      const lines = await sql.unsafe(
        `explain (analyze, costs off) execute page('${accountId}', 20, ${offset})`,
      );
      const plan = lines.map((row) => String(row["QUERY PLAN"])).join("\n");
      expect(plan).toContain("Index Scan Backward using scans_newest");
      expect(plan).not.toMatch(/Sort|Seq Scan on scans|Bitmap Heap Scan on scans/);
      expect(rowsRead(plan)).toBe(20 + offset);
    },
  );

  test("an account of 200,000 scans has its total from the counter", async () => {
    const { scans, total } = await store.scans.list(accountId, { limit: 20, offset: 10_000 });
    expect([scans.length, total]).toEqual([20, 200_000]);
  });
});

const rowsRead = (plan: string) => Number(/scans_newest on scans \(actual.* rows=([\d]+)/.exec(plan)?.[1]);

async function insertScans(accountId: string, count: number): Promise<void> {
  const stem = newScanId(NOON).slice(0, 20);
  await sql`
    insert into scans (id, account_id, url, status, created_at, charged_month, charged_shard)
    select ${stem} || lpad(to_hex(n), 11, '0'), ${accountId}, 'https://api.example', 'completed',
      ${NOON.toISOString()}::timestamptz + n * interval '1 second', '2026-11', 0
    from generate_series(1, ${count}::int) n`;
  await sql`insert into scan_counts values (${accountId}, 0, ${count})`;
  await sql`analyze scans`;
}
