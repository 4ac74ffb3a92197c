import { PLANS, PLAN_NAMES } from "@glovebox/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import {
  NOON,
  after,
  clock,
  completed,
  crashed,
  created,
  newAccount,
  connectionRefused,
  submit,
} from "../testing/fixtures.ts";
import { COMMAND_LINE } from "../audit/audit.ts";
import type { Store, SubmitResult } from "../index.ts";
import { freshDatabase, openStoreAt, plainSql, setQuota } from "../testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let other: Store;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
  other = await openStoreAt({ url: database.url }, () => clock.at);
});
beforeEach(async () => {
  clock.at = NOON;
  for (const plan of PLAN_NAMES) await setQuota(database.url, plan, PLANS[plan].scansPerMonth);
});
afterAll(async () => {
  await Promise.all([store.close(), other.close()]);
  await database.drop();
});

const outcomes = (results: SubmitResult[]) => Object.groupBy(results, ({ outcome }) => outcome);
const total = async (accountId: string) => (await store.scans.list(accountId, { limit: 1, offset: 0 })).total;

describe("the quota", () => {
  test("100 simultaneous submissions of a Free account over two stores start exactly 3 scans", async () => {
    const account = await newAccount(store, "free");
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => submit(index % 2 ? store : other, account)),
    );
    const { created = [], quotaExceeded = [] } = outcomes(results);
    expect([created.length, quotaExceeded.length]).toEqual([3, 97]);
    expect(await total(account.id)).toBe(3);
  });

  test("a quota of nothing starts nothing", async () => {
    const account = await newAccount(store, "free");
    await setQuota(database.url, account.plan, 0);
    expect(await submit(store, account)).toMatchObject({ outcome: "quotaExceeded" });
  });

  test("a new month of UTC starts afresh", async () => {
    const account = await newAccount(store, "free");
    const [november, december] = [new Date("2026-11-30T23:59:59.999Z"), new Date("2026-12-01T00:00:00Z")];
    for (let scan = 0; scan < 3; scan++) await created(store, account, { now: november });
    expect(await submit(store, account, { now: november })).toMatchObject({ outcome: "quotaExceeded" });
    expect(await submit(store, account, { now: december })).toMatchObject({ outcome: "created" });
  });

  test.each([
    ["2030-01-31T23:59:59.500Z", 1],
    ["2030-01-31T23:00:00Z", 3600],
    ["2030-12-31T00:00:00Z", 86_400],
    ["2028-02-28T00:00:00Z", 2 * 86_400],
    ["2030-01-01T00:00:00Z", 31 * 86_400],
  ])(
    "the quota that is used up at %s is renewed in %i seconds, also by the precheck",
    async (at, renewedInSeconds) => {
      const account = await newAccount(store, "free");
      await setQuota(database.url, "free", 0);
      const used = { outcome: "quotaExceeded", renewedInSeconds };
      expect(await submit(store, account, { now: new Date(at) })).toEqual(used);
      expect(
        await store.scans.precheck({ actor: COMMAND_LINE, id: "any", account, url: "https://api.example/" }),
      ).toEqual(used);
    },
  );

  test("the quota of a plan that the database does not know is none", async () => {
    const account = await newAccount(store, "free");
    const sql = plainSql(database.url);
    await sql`update accounts set plan = 'gold' where id = ${account.id}`;
    await sql.end();
    expect(await submit(store, account)).toMatchObject({ outcome: "quotaExceeded" });
  });

  test("one account's quota is not another's", async () => {
    const [first, second] = [await newAccount(store, "free"), await newAccount(store, "free")];
    for (let scan = 0; scan < 3; scan++) await created(store, first);
    expect(await submit(store, second)).toMatchObject({ outcome: "created" });
  });

  test("scans from before an account had a quota count against it", async () => {
    const account = await newAccount(store);
    await Promise.all(Array.from({ length: 8 }, () => created(store, account)));
    await setQuota(database.url, account.plan, 8);
    expect(await submit(store, account)).toMatchObject({ outcome: "quotaExceeded" });
    await setQuota(database.url, account.plan, 9);
    expect(await submit(store, account)).toMatchObject({ outcome: "created" });
    expect(await total(account.id)).toBe(9);
  });

  test.each([
    ["the service's own failure gives the scan back", crashed, 1],
    ["a failure of the target's does not", connectionRefused, 0],
    ["a completed scan does not", completed(), 0],
  ])("%s", async (_sentence, outcome, back) => {
    const account = await newAccount(store, "free");
    const id = await created(store, account);
    await created(store, account);
    await created(store, account);
    await store.work.record(id, outcome);
    const again = outcomes(await Promise.all(Array.from({ length: 5 }, () => submit(store, account))));
    expect(again.created?.length ?? 0).toBe(back);
  });

  test("a scan is given back once, to the month that was charged, however often its end is recorded", async () => {
    const account = await newAccount(store, "free");
    const november = new Date("2026-11-30T23:59:59Z");
    const december = new Date("2026-12-01T00:05:00Z");
    const id = await created(store, account, { now: november });
    await created(store, account, { now: november });
    await created(store, account, { now: november });
    for (let scan = 0; scan < 3; scan++) await created(store, account, { now: december });
    const recorded = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? store : other).work.record(id, crashed)),
    );
    expect(recorded.filter(Boolean)).toHaveLength(1);
    expect(await submit(store, account, { now: december })).toMatchObject({ outcome: "quotaExceeded" });
    expect(await submit(store, account, { now: november })).toMatchObject({ outcome: "created" });
    expect(await submit(store, account, { now: november })).toMatchObject({ outcome: "quotaExceeded" });
  });

  test("a cancelled scan is not given back", async () => {
    const account = await newAccount(store, "free");
    const id = await created(store, account);
    await created(store, account);
    await created(store, account);
    await store.scans.remove(account.id, id);
    expect(await submit(store, account)).toMatchObject({ outcome: "quotaExceeded" });
  });
});

describe("an Idempotency-Key", () => {
  const idempotency = { key: "order-1", bodyDigest: "digest-a" };

  test("an Idempotency-Key with the same body returns the first scan and charges nothing", async () => {
    const account = await newAccount(store, "free");
    const id = await created(store, account, { idempotency });
    for (let replay = 0; replay < 5; replay++)
      expect(await submit(store, account, { idempotency })).toMatchObject({
        outcome: "replayed",
        scan: { id },
      });
    expect(await total(account.id)).toBe(1);
    await created(store, account);
    await created(store, account);
  });

  test("an Idempotency-Key with another body is a conflict, and charges nothing", async () => {
    const account = await newAccount(store, "free");
    await created(store, account, { idempotency });
    const changed = { idempotency: { ...idempotency, bodyDigest: "digest-b" } };
    expect(await submit(store, account, changed)).toEqual({ outcome: "conflict" });
    expect(await total(account.id)).toBe(1);
  });

  test("an Idempotency-Key of 40 simultaneous identical requests over two stores, one creates the scan and the others replay it", async () => {
    const account = await newAccount(store, "pro");
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => submit(index % 2 ? store : other, account, { idempotency })),
    );
    const { created = [], replayed = [] } = outcomes(results);
    expect([created.length, replayed.length]).toEqual([1, 39]);
    expect(new Set(results.map((result) => "scan" in result && result.scan.id)).size).toBe(1);
    expect(await total(account.id)).toBe(1);
  });

  test("an Idempotency-Key of two accounts are two keys", async () => {
    const [first, second] = [await newAccount(store), await newAccount(store)];
    const ids = [await created(store, first, { idempotency }), await created(store, second, { idempotency })];
    expect(new Set(ids).size).toBe(2);
    expect([await total(first.id), await total(second.id)]).toEqual([1, 1]);
  });

  test("an Idempotency-Key is free again after 24 hours, and not before", async () => {
    const account = await newAccount(store);
    const day = 24 * 60 * 60;
    const id = await created(store, account, { idempotency });
    expect(await submit(store, account, { idempotency, now: after(day - 1) })).toMatchObject({
      scan: { id },
    });
    expect(await created(store, account, { idempotency, now: after(day) })).not.toBe(id);
  });

  test("an Idempotency-Key of a request over the quota is not used up", async () => {
    const account = await newAccount(store, "free");
    await setQuota(database.url, account.plan, 0);
    const results = await Promise.all(
      Array.from({ length: 10 }, () => submit(store, account, { idempotency })),
    );
    expect(outcomes(results).quotaExceeded).toHaveLength(10);
    await setQuota(database.url, account.plan, 1);
    await created(store, account, { idempotency });
  });

  test("an Idempotency-Key of a deleted scan starts a new one, also when two ask at the same time", async () => {
    const account = await newAccount(store);
    const id = await created(store, account, { idempotency });
    await store.work.record(id, completed());
    expect(await store.scans.remove(account.id, id)).toBe("deleted");
    const results = outcomes(await Promise.all([1, 2, 3].map(() => submit(store, account, { idempotency }))));
    expect([results.created?.length, results.replayed?.length]).toEqual([1, 2]);
  });
});
