import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { completed, crashed, created, newAccount } from "./fixtures.ts";
import { openStore } from "../store.ts";
import type { Store } from "../index.ts";
import { freshDatabase, keepLedger, readLedger, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  await keepLedger(database.url);
  store = await openStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

test("the ledger has each row, each end and each report once, and what the account was charged", async () => {
  const account = await newAccount(store);
  const [first, second] = [await created(store, account), await created(store, account)];
  await store.work.record(first, completed());
  await store.work.record(first, completed());
  await store.work.record(second, crashed);
  const { scans, charged, history } = await readLedger(database.url);
  expect(scans).toEqual(
    [
      { id: first, account: account.name, status: "completed", failure: null },
      { id: second, account: account.name, status: "failed", failure: "scanner_crashed" },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  expect(charged).toEqual([{ account: account.name, started: 1 }]);
  expect(history.map(({ scan, what }) => [scan, what])).toEqual([
    [first, "submitted"],
    [second, "submitted"],
    [first, "completed"],
    [first, "report"],
    [second, "failed"],
  ]);
});
