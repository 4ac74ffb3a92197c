import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { completed, crashed, created, newAccount } from "../testing/fixtures.ts";
import { openStore } from "../store.ts";
import type { Store, StoreEvent } from "../index.ts";
import { freshDatabase } from "../testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let other: Store;

beforeEach(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
  other = await openStore({ url: database.url });
});
afterEach(async () => {
  await Promise.all([store.close(), other.close()]);
  await database.drop();
});

test("another store hears of submission, progress, end and revocation, in that order", async () => {
  const heard: StoreEvent[] = [];
  const stop = await other.events.listen((event) => heard.push(event));
  const account = await newAccount(store);
  const { keyId } = await store.keys.add({ accountId: account.id, name: "k", sha256: "a".repeat(64) });

  const id = await created(store, account);
  await expect.poll(() => heard).toHaveLength(1);
  const frame = { category: "ssrf", done: 1, planned: 2 } as const;
  await store.work.progress(id, { frame: "progress", ...frame }, { done: 5, planned: 9 });
  await store.work.record(id, completed());
  await store.keys.revoke(keyId);

  await expect.poll(() => heard).toHaveLength(4);
  expect(heard).toEqual([
    { type: "scanSubmitted", id },
    { type: "scanProgress", id, frame, total: { done: 5, planned: 9 } },
    { type: "scanEnded", id },
    { type: "keyRevoked", keyId },
  ]);
  await stop();
});

test("progress is written and announced for a processing scan only, and a refused record announces nothing", async () => {
  const heard: StoreEvent[] = [];
  const account = await newAccount(store);
  const id = await created(store, account);
  await store.work.record(id, completed());
  await other.events.listen((event) => heard.push(event));
  await store.work.progress(
    id,
    { frame: "progress", category: "ssrf", done: 1, planned: 2 },
    { done: 5, planned: 9 },
  );
  await store.work.record(id, crashed);
  const marker = await created(store, account);
  await store.scans.remove(account.id, marker);
  await expect.poll(() => heard).toContainEqual({ type: "scanEnded", id: marker });
  expect(heard.filter((event) => "id" in event && event.id === id)).toEqual([]);
});

test("a listener that has stopped hears nothing more, while the others go on", async () => {
  const [first, second]: StoreEvent[][] = [[], []];
  const stop = await other.events.listen((event) => first!.push(event));
  await other.events.listen((event) => second!.push(event));
  await stop();
  await created(store, await newAccount(store));
  await expect.poll(() => second).toHaveLength(1);
  expect(first).toEqual([]);
});

test("after the last listener has stopped, a new one hears again", async () => {
  await (
    await other.events.listen(() => {})
  )();
  const heard: StoreEvent[] = [];
  await other.events.listen((event) => heard.push(event));
  await created(store, await newAccount(store));
  await expect.poll(() => heard).toHaveLength(1);
});
