import { type NotedWrite } from "@glovebox/contract";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Account, Store } from "../index.ts";
import { freshDatabase, openStoreAt } from "../testing.ts";
import { NOON, completed, crashed, created, newAccount } from "../testing/fixtures.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let account: Account;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => NOON);
  account = await newAccount(store);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const write = (seq: number, over: Partial<NotedWrite> = {}): NotedWrite => ({
  seq,
  form: "creation",
  operation: { method: "POST", path: "/notes" },
  caller: "self-1",
  request: { method: "POST", url: "https://api.example/notes", headers: {} },
  cleaned: false,
  marked: "gloveboxabcdefgh snake_case kept",
  ...over,
});
const begun = () => created(store, account, { mode: "active" });

test("an active scan has a seed of its own as long as it runs", async () => {
  const [one, other] = [await begun(), await begun()];
  const resumption = await store.scanWrites.resumptionOf(one);
  expect(resumption).toEqual({ seed: expect.stringMatching(/^[0-9a-f]{64}$/), writes: [] });
  expect((await store.scanWrites.resumptionOf(other))?.seed).not.toBe(resumption!.seed);
  await store.work.record(one, crashed);
  expect(await store.scanWrites.resumptionOf(one)).toBeUndefined();
  expect(await store.scanWrites.resumptionOf(await created(store, account))).toBeUndefined();
});

test("the latest note of each write is what another attempt gets, in order", async () => {
  const id = await begun();
  await store.scanWrites.note(id, [write(1), write(0), write(1, { object: "/notes/7", id: "7" })]);
  await store.scanWrites.note(id, [write(0, { cleaned: true })]);
  expect((await store.scanWrites.resumptionOf(id))?.writes).toEqual([
    write(0, { cleaned: true }),
    write(1, { object: "/notes/7", id: "7" }),
  ]);
});

test("a scan that failed has its writes as a journal, also those noted after it was cancelled", async () => {
  const id = await begun();
  await store.scanWrites.note(id, [write(0)]);
  await store.scans.cancel(account.id, id);
  await store.scanWrites.note(id, [write(0, { cleaned: true, object: "/notes/7" })]);
  const { operation, caller, request } = write(0);
  const journal = [{ operation, caller, request, cleaned: true, object: "/notes/7" }];
  expect(await store.scans.find(account.id, id)).toMatchObject({ mode: "active", journal });
  expect((await store.scans.get(account.id, id))?.journal).toEqual(journal);
});

test("nothing is kept of a scan that completed, nor taken of one that is safe or was deleted", async () => {
  const id = await begun();
  await store.scanWrites.note(id, [write(0)]);
  await store.work.record(id, completed());
  await store.scanWrites.note(id, [write(1)]);
  expect(await store.scans.get(account.id, id)).not.toHaveProperty("journal");
  const safe = await created(store, account);
  await store.scanWrites.note(safe, [write(0)]);
  await store.work.record(safe, crashed);
  expect(await store.scans.get(account.id, safe)).not.toHaveProperty("journal");
  await store.scanWrites.note("scan-00000000000000000000000000", [write(0)]);
});
