import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { NOON, after, clock, completed, crashed, created, newAccount } from "../testing/fixtures.ts";
import { storedReport } from "../testing/sample-reports.ts";
import { openStore } from "../store.ts";
import type { Store } from "../index.ts";
import { freshDatabase, openStoreAt } from "../testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let other: Store;

beforeEach(async () => {
  clock.at = NOON;
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
  other = await openStoreAt({ url: database.url }, () => clock.at);
});
afterEach(async () => {
  await Promise.all([store.close(), other.close()]);
  await database.drop();
});

const LEASE = 30;
const claim = async (at = NOON, worker = "worker") => (await claimed(at, worker))?.id;
const claimed = (at: Date, worker: string) => {
  clock.at = at;
  return store.work.claim(worker, LEASE);
};
const renew = (at: Date, worker: string, ids: string[]) => {
  clock.at = at;
  return store.work.renew(worker, ids, LEASE);
};

describe("claiming", () => {
  test("an empty queue has nothing to claim", async () => {
    expect(await claim()).toBeUndefined();
  });

  test("the oldest scan of an account goes first, and a claimed one is not claimed again", async () => {
    const account = await newAccount(store);
    const later = await created(store, account, { now: after(-1) });
    const earlier = await created(store, account, { now: after(-2) });
    expect([await claim(), await claim(), await claim()]).toEqual([earlier, later, undefined]);
  });

  test("the account with the fewest running scans goes first, however long the other's queue", async () => {
    const [busy, quiet] = [await newAccount(store), await newAccount(store)];
    const queue: string[] = [];
    for (let age = 10; age > 6; age--) queue.push(await created(store, busy, { now: after(-age) }));
    const single = await created(store, quiet, { now: after(-1) });
    expect([await claim(), await claim(), await claim()]).toEqual([queue[0], single, queue[1]]);
  });

  test("20 simultaneous claims over two stores take 20 different scans, shared fairly between two accounts", async () => {
    const accounts = [await newAccount(store), await newAccount(store)] as const;
    for (const account of accounts)
      for (let age = 15; age > 0; age--) await created(store, account, { now: after(-age) });
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).work.claim(`w${index}`, LEASE)),
    );
    expect(new Set(claims.map((scan) => scan?.id)).size).toBe(20);
    const waiting = await Promise.all(accounts.map(async ({ id }) => (await heldBy(id)).length));
    expect(waiting).toEqual([10, 10]);

    async function heldBy(accountId: string) {
      const { scans } = await store.scans.list(accountId, { limit: 100, offset: 0 });
      return scans.filter(({ id }) => claims.some((scan) => scan?.id === id));
    }
  });

  test("no more scans of one host and of one account run than the limits allow, and other hosts go ahead", async () => {
    const [one, two] = [await newAccount(store), await newAccount(store)];
    const url = "https://other.example/v1";
    const first = await created(store, one, { now: after(-9) });
    await created(store, one, { now: after(-8) });
    const elsewhere = await created(store, one, { now: after(-7), url });
    await created(store, two, { now: after(-6) });
    const ofOther = await created(store, two, { now: after(-5), url });
    const next = async () => (await store.work.claim("w", LEASE, { perAccount: 2, perHost: 1 }))?.id;
    expect([await next(), await next(), await next()]).toEqual([first, elsewhere, undefined]);
    await store.work.record(elsewhere, crashed);
    expect([await next(), await next()]).toEqual([ofOther, undefined]);
  });

  test("a scan waits while its account runs the maximum, on any hosts", async () => {
    const account = await newAccount(store);
    const urls = ["https://a.example/", "https://b.example:8443/x", "https://[2001:db8::1]/"];
    const ids = [];
    for (const [age, url] of urls.entries())
      ids.push(await created(store, account, { now: after(age - 9), url }));
    const next = async () => (await store.work.claim("w", LEASE, { perAccount: 2, perHost: 1 }))?.id;
    expect([await next(), await next(), await next()]).toEqual([ids[0], ids[1], undefined]);
  });

  test("a claim carries what the scan needs", async () => {
    const account = await newAccount(store);
    const id = await created(store, account, {
      specUrl: "https://api.example/openapi.json",
      context: "medical",
    });
    expect(await claimed(NOON, "w")).toEqual({
      ...{ include: null, exclude: null, identityNames: null, mode: null },
      ...{ id, accountId: account.id, status: "processing", createdAt: NOON, endedAt: null },
      ...{ progress: { done: 0, planned: 0 }, score: null, grade: null, findingsCount: 0, failure: null },
      resourceUid: null,
      url: "https://api.example/v1",
      specUrl: "https://api.example/openapi.json",
      context: "medical",
      attempts: 1,
    });
  });
});

describe("a lease", () => {
  test("a lease that has run out lets another worker claim the scan, as its next attempt", async () => {
    const id = await created(store, await newAccount(store));
    await claim(NOON, "lost");
    expect(await claim(after(LEASE - 1), "other")).toBeUndefined();
    expect(await claimed(after(LEASE), "other")).toMatchObject({ id, attempts: 2 });
  });

  test("runs by the server's clock: a worker whose clock is an hour fast takes no scan of another's", async () => {
    const id = await created(store, await newAccount(store));
    const [steady, fast] = [await openStore({ url: database.url }), await openStore({ url: database.url })];
    expect(await steady.work.claim("steady", LEASE)).toMatchObject({ id });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    const taken = await fast.work.claim("fast", LEASE).finally(() => vi.useRealTimers());
    expect(taken).toBeUndefined();
    expect(await steady.work.renew("steady", [id], LEASE)).toEqual([id]);
    await Promise.all([steady.close(), fast.close()]);
  });

  test("a lease that is renewed holds, and only for the worker that holds it", async () => {
    const id = await created(store, await newAccount(store));
    await claim(NOON, "holder");
    expect(await renew(after(20), "stranger", [id])).toEqual([]);
    expect(await renew(after(20), "holder", [id, "scan-unknown"])).toEqual([id]);
    expect(await claim(after(LEASE + 1), "other")).toBeUndefined();
  });

  test("a lease is not renewed once the scan has ended or another worker has taken it", async () => {
    const account = await newAccount(store);
    const [ended, taken] = [await created(store, account), await created(store, account)];
    await claim(NOON, "w");
    await claim(NOON, "w");
    await store.work.record(ended, crashed);
    await claim(after(LEASE), "other");
    expect(await renew(after(LEASE), "w", [ended, taken])).toEqual([]);
  });

  test("a lease that is given back frees the scan immediately, and the attempt is not counted", async () => {
    const id = await created(store, await newAccount(store));
    await claim(NOON, "leaving");
    await store.work.release("stranger", [id]);
    expect(await claim()).toBeUndefined();
    await store.work.release("leaving", [id]);
    expect(await claimed(NOON, "w")).toMatchObject({ id, attempts: 1 });
  });
});

describe("what is on record of a scan", () => {
  test("what is on record of a scan is nothing for an unknown id", async () => {
    expect(await store.work.find("scan-unknown")).toBeUndefined();
  });

  test("what is on record of a scan is the request while it is processed, and then how it ended", async () => {
    const account = await newAccount(store);
    const [good, bad] = [
      await created(store, account, { specUrl: "https://api.example/spec", context: "internal" }),
      await created(store, account),
    ];
    const request = {
      url: "https://api.example/v1",
      specUrl: "https://api.example/spec",
      context: "internal",
    };
    expect(await store.work.find(good)).toEqual({
      ...{ include: null, exclude: null, identityNames: null, mode: null },
      ...{ ...request, id: good, accountId: account.id, createdAt: NOON, endedAt: null },
      status: "processing",
      score: null,
      grade: null,
      findingsCount: 0,
      attempts: 0,
      progress: { done: 0, planned: 0 },
      failure: null,
      resourceUid: null,
    });
    await store.work.record(good, completed());
    await store.work.record(bad, crashed);
    expect(await other.work.find(good)).toMatchObject({
      ...request,
      status: "completed",
      score: 93,
      grade: "A",
    });
    expect(await other.work.find(bad)).toMatchObject(crashed);
  });
});

describe("the end of a scan", () => {
  test("the end of a scan is recorded once: the second record is refused and changes nothing", async () => {
    const account = await newAccount(store);
    const id = await created(store, account);
    clock.at = after(60);
    expect(await store.work.record(id, completed("first"))).toBe(true);
    clock.at = after(61);
    expect(await other.work.record(id, completed("second"))).toBe(false);
    expect(await store.work.record(id, crashed)).toBe(false);

    const scan = (await store.scans.get(account.id, id))!;
    expect(scan).toMatchObject({ status: "completed", endedAt: after(60), failure: null });
    expect(storedReport(scan)).toMatchObject({ notes: ["first"] });
  });

  test("the end of a scan that is unknown, cancelled or deleted is refused", async () => {
    const account = await newAccount(store);
    const id = await created(store, account);
    await store.scans.remove(account.id, id);
    expect(await store.work.record(id, completed())).toBe(false);
    await store.scans.remove(account.id, id);
    expect(await store.work.record(id, completed())).toBe(false);
    expect(await store.work.record("scan-unknown", completed())).toBe(false);
  });

  test("the end of a scan with NUL bytes and lone surrogates is recorded, with U+FFFD instead", async () => {
    const account = await newAccount(store);
    const [good, bad] = [await created(store, account), await created(store, account)];
    const message = "It said \0 and \ud800.";
    expect(await store.work.record(good, completed(message))).toBe(true);
    const failure = { code: "target_errors", message } as const;
    expect(await store.work.record(bad, { status: "failed", failure })).toBe(true);

    const clean = "It said \u{FFFD} and \u{FFFD}.";
    expect(storedReport((await store.scans.get(account.id, good))!)).toMatchObject({
      notes: [clean],
    });
    expect((await store.scans.get(account.id, bad))!.failure).toEqual({ ...failure, message: clean });
  });

  test("a scan cancelled while workers claim it is either never claimed or no longer renewed", async () => {
    const account = await newAccount(store);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, age) => created(store, account, { now: after(-age) })),
    );
    const [, ...claims] = await Promise.all([
      Promise.all(ids.map((id) => other.scans.remove(account.id, id))),
      ...ids.map(() => claimed(NOON, "w")),
    ]);
    const taken = claims.flatMap((scan) => (scan ? [scan.id] : []));
    expect(await renew(after(1), "w", taken)).toEqual([]);
    expect(await claim(after(LEASE * 2))).toBeUndefined();
    const { scans } = await store.scans.list(account.id, { limit: 100, offset: 0 });
    expect(new Set(scans.map(({ status }) => status))).toEqual(new Set(["failed"]));
  });
});
