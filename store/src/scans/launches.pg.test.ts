import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, clock, created, newAccount, connectionRefused } from "../testing/fixtures.ts";
import { openStore } from "../store.ts";
import type { Account, Store } from "../index.ts";
import { freshDatabase, openStoreAt } from "../testing.ts";
import { StoreUnavailable } from "../database/unavailable.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let account: Account;

beforeEach(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  clock.at = NOON;
  store = await openStoreAt({ url: database.url }, () => clock.at);
  account = await newAccount(store);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

const resourceOf = (id: string) => ({ id, uid: `uid-of-${id}`, namespace: "scans" });
const at = (moment: Date): Store["launches"] => {
  clock.at = moment;
  return store.launches;
};
const unlaunched = async (moment = after(1), limit = 10) =>
  (await at(moment).unlaunched("here", 0, limit)).map(({ id }) => id);
const launched = async (moment: Date) => (await at(moment).launched("here", 0)).map(({ id }) => id);

describe("scans that nobody noted as launched", () => {
  test("scans that nobody noted as launched are listed with what a launcher needs", async () => {
    const context = "internal" as const;
    const asked = { specUrl: "https://api.example/spec.json", context, include: ["/orders/**"] };
    const id = await created(store, account, asked);
    const others = { exclude: null, mode: null, identityNames: null, ageSeconds: 1 };
    expect(await at(after(1)).unlaunched("here", 0, 10)).toEqual([
      { id, account: account.name, url: "https://api.example/v1", ...asked, ...others },
    ]);
  });

  test("scans that nobody noted as launched are listed oldest first, from before the moment only, no more than asked for", async () => {
    const [second, first, third] = [
      await created(store, account, { now: after(-1) }),
      await created(store, account, { now: after(-2) }),
      await created(store, account, { now: NOON }),
    ];
    expect(await unlaunched()).toEqual([first, second, third]);
    expect(await unlaunched(NOON)).toEqual([first, second]);
    expect(await unlaunched(after(1), 1)).toEqual([first]);
  });

  test("scans that nobody noted as launched are not listed once they have ended", async () => {
    const [ended, cancelled] = [await created(store, account), await created(store, account)];
    await store.work.record(ended, connectionRefused);
    await store.scans.remove(account.id, cancelled);
    expect(await unlaunched()).toEqual([]);
  });
});

test("how long ago a scan was made or launched is by the age that is asked for", async () => {
  const id = await created(store, account);
  expect(await at(after(5)).unlaunched("here", 5, 10)).toEqual([]);
  expect(await at(after(6)).unlaunched("here", 5, 10)).toMatchObject([{ id, ageSeconds: 6 }]);
  await at(after(10)).note([resourceOf(id)], "here");
  expect(await at(after(70)).launched("here", 60)).toEqual([]);
  expect(await at(after(71)).launched("here", 60)).toEqual([resourceOf(id)]);
});

test("a scan noted as launched is listed among the launched ones until it ends", async () => {
  const id = await created(store, account);
  await at(after(5)).note([resourceOf(id), resourceOf("scan-of-nobody")], "here");
  expect(await unlaunched()).toEqual([]);
  expect(await launched(after(5))).toEqual([]);
  expect(await launched(after(6))).toEqual([id]);
  await store.work.record(id, connectionRefused);
  expect(await launched(after(8))).toEqual([]);
});

describe("of two installations", () => {
  test("each launches its own scans, and those that say nothing", async () => {
    const installations = ["here", "elsewhere", undefined] as const;
    const ids: string[] = [];
    for (const [n, installation] of installations.entries())
      ids.push(await created(store, account, { installation, now: after(n) }));
    expect(await unlaunched(after(9))).toEqual([ids[0], ids[2]]);
    const others = await at(after(9)).unlaunched("elsewhere", 0, 10);
    expect(others.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
  });

  test("each sees the scans that it launched, with the resource that each belongs to", async () => {
    const [mine, theirs] = [await created(store, account), await created(store, account)];
    await at(after(1)).note([resourceOf(mine)], "here");
    await at(after(1)).note([resourceOf(theirs)], "elsewhere");
    expect(await at(after(2)).launched("here", 0)).toEqual([resourceOf(mine)]);
    expect(await at(after(2)).launched("elsewhere", 0)).toEqual([resourceOf(theirs)]);
  });

  test("either finds what neither has ended in time, but not what one machine runs", async () => {
    const [launched, accepted] = [
      await created(store, account),
      await created(store, account, { installation: "gone" }),
    ];
    await created(store, account); // of one machine
    await at(after(10)).note([resourceOf(launched)], "gone");
    expect(await at(NOON).overdue(0)).toEqual([]);
    expect(await at(after(10)).overdue(0)).toEqual([accepted]);
    expect((await at(after(11)).overdue(0)).toSorted()).toEqual([launched, accepted].toSorted());
    await store.work.record(accepted, connectionRefused);
    expect(await at(after(13)).overdue(0)).toEqual([launched]);
  });
});

describe("a task to be run by one process at a time", () => {
  test("a task to be run by one process at a time is not run while another store runs one of its name, and is afterwards", async () => {
    const other = await openStore({ url: database.url });
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ran: string[] = [];
    const first = store.withLock("sweep", async () => {
      begun.resolve();
      await ended.promise;
      ran.push("first");
    });
    await begun.promise;
    expect(await other.withLock("sweep", async () => void ran.push("second"))).toBe(false);
    expect(await other.withLock("else", async () => void ran.push("else"))).toBe(true);
    ended.resolve();
    expect(await first).toBe(true);
    expect(await other.withLock("sweep", async () => void ran.push("third"))).toBe(true);
    expect(ran).toEqual(["else", "first", "third"]);
    await other.close();
  });

  test("a task to be run by one process at a time that fails passes its failure on and lets go of the name", async () => {
    await expect(store.withLock("sweep", () => Promise.reject(new TypeError("no")))).rejects.toThrow(
      new TypeError("no"),
    );
    expect(await store.withLock("sweep", async () => undefined)).toBe(true);
  });

  test("a task to be run by one process at a time is not run without the database", async () => {
    const away = await openStore({ url: "postgres://nobody@127.0.0.1:1/none", connectTimeoutSeconds: 1 });
    const task = () => Promise.reject(new Error("ran"));
    await expect(away.withLock("sweep", task)).rejects.toBeInstanceOf(StoreUnavailable);
    await away.close();
  });
});
