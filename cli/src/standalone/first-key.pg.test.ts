import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashApiKey, openStore, type Store } from "@glovebox/store";
import { freshDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ensureFirstKey } from "./first-key.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string; // of test/support/postgres.ts
  }
}

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
const folder = mkdtempSync(join(tmpdir(), "first-key-"));

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const holderOf = (key: string) => store.keys.findByHash(hashApiKey(key));

describe("the first key", () => {
  test("the first start makes a key that works, in a file for its owner only", async () => {
    const { key, file, isNew } = await ensureFirstKey(folder, store);
    expect(isNew).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(`${key}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await holderOf(key)).toMatchObject({ account: { name: "default", plan: "pro" }, scopes: [] });
  });

  test("later starts give the same key, and leave the account's plan as the operator set it", async () => {
    const first = await ensureFirstKey(folder, store);
    await store.accounts.declare({ name: "default", plan: "enterprise" });
    const again = await ensureFirstKey(folder, store);
    expect(again).toEqual({ ...first, isNew: false });
    expect((await holderOf(again.key))?.account.plan).toBe("enterprise");
  });

  test("a first key that was revoked stays revoked", async () => {
    const { key } = await ensureFirstKey(folder, store);
    const holder = await holderOf(key);
    await store.keys.revoke(holder!.keyId);
    await ensureFirstKey(folder, store);
    expect(await holderOf(key)).toBeUndefined();
  });

  test("a file that holds something else is refused, and what to do is said", async () => {
    writeFileSync(join(folder, "first-key"), "not a key");
    await expect(ensureFirstKey(folder, store)).rejects.toThrow(/first-key holds no API key; remove it/);
  });
});
