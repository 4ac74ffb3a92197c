import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, created, newAccount, refused } from "./fixtures.ts";
import { openStore } from "./open-store.ts";
import type { Account, Store } from "./store.ts";
import { freshDatabase } from "./testing.ts";
import { StoreUnavailable } from "./unavailable.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let account: Account;

beforeEach(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
  account = await newAccount(store);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

const resourceOf = (id: string) => ({ id, uid: `uid-of-${id}`, namespace: "scans" });
const unlaunched = async (createdBefore = after(1), limit = 10) =>
  (await store.launches.unlaunched("here", createdBefore, limit)).map(({ id }) => id);
const launched = async (launchedBefore: Date) =>
  (await store.launches.launched("here", launchedBefore)).map(({ id }) => id);

describe("scans that nobody noted as launched", () => {
  test("are listed with what a launcher needs", async () => {
    const asked = { specUrl: "https://api.example/spec.json", context: "internal" } as const;
    const id = await created(store, account, asked);
    expect(await store.launches.unlaunched("here", after(1), 10)).toEqual([
      { id, account: account.name, url: "https://api.example/v1", ...asked, createdAt: NOON },
    ]);
  });

  test("are listed oldest first, from before the moment only, no more than asked for", async () => {
    const [second, first, third] = [
      await created(store, account, { now: after(-1) }),
      await created(store, account, { now: after(-2) }),
      await created(store, account, { now: NOON }),
    ];
    expect(await unlaunched()).toEqual([first, second, third]);
    expect(await unlaunched(NOON)).toEqual([first, second]);
    expect(await unlaunched(after(1), 1)).toEqual([first]);
  });

  test("are not listed once they have ended", async () => {
    const [ended, cancelled] = [await created(store, account), await created(store, account)];
    await store.work.record(ended, refused);
    await store.scans.remove(account.id, cancelled);
    expect(await unlaunched()).toEqual([]);
  });
});

test("a scan noted as launched is listed among the launched ones until it ends", async () => {
  const id = await created(store, account);
  await store.launches.note([resourceOf(id), resourceOf("scan-of-nobody")], "here", after(5));
  expect(await unlaunched()).toEqual([]);
  expect(await launched(after(5))).toEqual([]);
  expect(await launched(after(6))).toEqual([id]);
  await store.work.record(id, refused);
  expect(await launched(after(8))).toEqual([]);
});

describe("of two installations", () => {
  test("each launches its own scans, and those that say nothing", async () => {
    const installations = ["here", "elsewhere", undefined] as const;
    const ids = await Promise.all(
      installations.map((installation, n) => created(store, account, { installation, now: after(n) })),
    );
    expect(await unlaunched(after(9))).toEqual([ids[0], ids[2]]);
    const others = await store.launches.unlaunched("elsewhere", after(9), 10);
    expect(others.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
  });

  test("each sees the scans that it launched, with the resource that each belongs to", async () => {
    const [mine, theirs] = [await created(store, account), await created(store, account)];
    await store.launches.note([resourceOf(mine)], "here", after(1));
    await store.launches.note([resourceOf(theirs)], "elsewhere", after(1));
    expect(await store.launches.launched("here", after(2))).toEqual([resourceOf(mine)]);
    expect(await store.launches.launched("elsewhere", after(2))).toEqual([resourceOf(theirs)]);
  });

  test("either finds what neither has ended in time, but not what one machine carries out", async () => {
    const [launched, accepted] = [
      await created(store, account),
      await created(store, account, { installation: "gone" }),
    ];
    await created(store, account); // of one machine
    await store.launches.note([resourceOf(launched)], "gone", after(10));
    expect(await store.launches.overdue(NOON)).toEqual([]);
    expect(await store.launches.overdue(after(10))).toEqual([accepted]);
    expect((await store.launches.overdue(after(11))).toSorted()).toEqual([launched, accepted].toSorted());
    await store.work.record(accepted, refused);
    expect(await store.launches.overdue(after(13))).toEqual([launched]);
  });
});

describe("a task to be run by one process at a time", () => {
  test("is not run while another store runs one of its name, and is afterwards", async () => {
    const other = await openStore({ url: database.url });
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ran: string[] = [];
    const first = store.exclusively("sweep", async () => {
      begun.resolve();
      await ended.promise;
      ran.push("first");
    });
    await begun.promise;
    expect(await other.exclusively("sweep", async () => void ran.push("second"))).toBe(false);
    expect(await other.exclusively("else", async () => void ran.push("else"))).toBe(true);
    ended.resolve();
    expect(await first).toBe(true);
    expect(await other.exclusively("sweep", async () => void ran.push("third"))).toBe(true);
    expect(ran).toEqual(["else", "first", "third"]);
    await other.close();
  });

  test("that fails passes its failure on and lets go of the name", async () => {
    await expect(store.exclusively("sweep", () => Promise.reject(new TypeError("no")))).rejects.toThrow(
      new TypeError("no"),
    );
    expect(await store.exclusively("sweep", async () => undefined)).toBe(true);
  });

  test("is not run without the database", async () => {
    const away = await openStore({ url: "postgres://nobody@127.0.0.1:1/none", connectTimeoutSeconds: 1 });
    const task = () => Promise.reject(new Error("ran"));
    await expect(away.exclusively("sweep", task)).rejects.toBeInstanceOf(StoreUnavailable);
    await away.close();
  });
});
