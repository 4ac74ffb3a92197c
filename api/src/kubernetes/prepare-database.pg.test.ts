import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashApiKey, newApiKey, migrate, openStore, type Store } from "@glovebox/store";
import { bareDatabase, plainSql, type TestDatabase } from "@glovebox/store/testing";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { applyAccountsFile } from "../accounts-file.ts";
import "../testing/database.ts";
import type { PeriodicTask } from "../background/periodic-task.ts";
import { createSchemaTask } from "./prepare-database.ts";

let database: TestDatabase;
let store: Store;
let folder: string;
let schemaTask: PeriodicTask;
let breaksOff = 0;
const said: string[] = [];
const key = newApiKey();

beforeEach(async () => {
  database = await bareDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
  folder = mkdtempSync(join(tmpdir(), "glovebox-keeper-"));
  const accounts = join(folder, "accounts.yaml");
  writeFileSync(accounts, `accounts: [{ name: default, plan: pro, keys: [{ name: first, key: ${key} }] }]`);
  said.length = 0;
  schemaTask = createSchemaTask({
    store,
    async prepare() {
      await migrate(database.url);
      if (breaksOff-- > 0) throw new Error("ended here");
      await applyAccountsFile(accounts, store);
    },
    logger: { warn: (...entry: unknown[]) => void said.push(String(entry.at(-1))) },
    everyMs: 3_600_000,
  });
});
afterEach(async () => {
  await store.close();
  await database.drop();
  rmSync(folder, { recursive: true });
  breaksOff = 0;
});

const holder = () => store.keys.findByHash(hashApiKey(key));
const emptied = async (): Promise<void> => {
  const sql = plainSql(database.url);
  await sql.unsafe("drop schema if exists drizzle cascade; drop schema public cascade; create schema public");
  await sql.end();
};

test("a database that comes back empty is migrated, and has its accounts and keys again", async () => {
  await schemaTask.run();
  expect((await holder())?.account.name).toBe("default");
  await emptied();
  await schemaTask.run();
  expect(await store.schemaState()).toBe("current");
  expect((await holder())?.account.name).toBe("default");
});

test("what broke off after the migration is taken up again", async () => {
  breaksOff = 1;
  await schemaTask.run();
  expect(await store.schemaState()).toBe("current");
  expect(await holder()).toBeUndefined();
  await schemaTask.run();
  expect(await holder()).toBeDefined();
});

test("a database that has its schema is left alone", async () => {
  await schemaTask.run();
  await store.keys.revoke((await holder())!.keyId);
  said.length = 0;
  await schemaTask.run();
  expect(await holder()).toBeUndefined();
  expect(said).toEqual([]);
});

test("two that prepare one database at the same time leave it whole", async () => {
  const other = createSchemaTask({
    store,
    prepare: () => migrate(database.url),
    logger: { warn: () => undefined },
    everyMs: 3_600_000,
  });
  await Promise.all([schemaTask.run(), other.run()]);
  expect(await holder()).toBeDefined();
});
