import { overriding } from "@glovebox/store/testing";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashApiKey, newApiKey, StoreUnavailable, openStore, type Store } from "@glovebox/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyAccountsFile } from "./accounts-file.ts";
import { testDatabase, type TestDatabase } from "./testing/database.ts";

let database: TestDatabase;
let store: Store;
let directory: string;

beforeAll(async () => {
  database = await testDatabase();
  store = await openStore({ url: database.url });
  directory = await mkdtemp(join(tmpdir(), "accounts-"));
});
afterAll(async () => {
  await store.close();
  await database.drop();
  await rm(directory, { recursive: true });
});

async function apply(text: string) {
  const path = join(directory, "accounts.yaml");
  await writeFile(path, text);
  return applyAccountsFile(path, store);
}
const holder = (key: string) => store.keys.findByHash(hashApiKey(key));

test("accounts and keys work afterwards, and a second time nothing changes but the plan", async () => {
  const [plain, hashed] = [newApiKey(), newApiKey()];
  const file = (plan: string): string =>
    `accounts:\n  - name: a\n    plan: ${plan}\n    keys:\n      - { name: x, key: ${plain}, scopes: [scans:read] }\n` +
    `      - { name: y, sha256: ${hashApiKey(hashed)}, expiresAt: 2100-01-01T00:00:00Z }\n`;
  expect(await apply(file("free"))).toEqual({ accounts: 1, keys: 2 });
  const first = await holder(plain);
  expect(first).toMatchObject({
    account: { name: "a", plan: "free" },
    scopes: ["scans:read"],
    expiresAt: null,
  });
  expect((await holder(hashed))?.expiresAt).toEqual(new Date("2100-01-01T00:00:00Z"));
  await apply(file("pro"));
  expect(await holder(plain)).toEqual({ ...first, account: { ...first!.account, plan: "pro" } });
  await apply(file("pro"));
  const entries = await store.audit.list(first!.account.id, { limit: 9 });
  expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
    ["accounts file", "account.update", first!.account.id],
    ["accounts file", "key.create", "y"],
    ["accounts file", "key.create", "x"],
    ["accounts file", "account.create", first!.account.id],
  ]);
  expect(entries[0]).toMatchObject({ before: { plan: "free" }, after: { plan: "pro" } });
});

test("a key of another account is refused by its position in the file", async () => {
  const key = newApiKey();
  const file = (name: string): string =>
    `accounts:\n  - { name: ${name}, plan: free, keys: [{ name: x, key: ${key} }] }\n`;
  await apply(file("b"));
  await expect(apply(file("c"))).rejects.toThrow(
    "accounts[0].keys[0]: is already the key of another account",
  );
});

test.each<[string, unknown]>([
  ["the database that is away", new StoreUnavailable()],
  ["a constraint of the database's", Object.assign(new Error("check"), { code: "23514" })],
  ["a fault of the service's own", new TypeError("a fault")],
])("%s is not taken for a fault of the file's", async (_, error) => {
  const path = join(directory, "accounts.yaml");
  await writeFile(path, `accounts: [{ name: f, plan: free, keys: [{ name: x, key: ${newApiKey()} }] }]`);
  const failing: Store = {
    ...store,
    changing: (actor) => (task) =>
      store.changing(actor)((tables) =>
        task({ ...tables, keys: overriding(tables.keys, { declare: () => Promise.reject(error) }) }),
      ),
  };
  await expect(applyAccountsFile(path, failing)).rejects.toBe(error);
});

test("a key that the file calls revoked is refused, and stays so without the word; one left out stays valid", async () => {
  const [key, left] = [newApiKey(), newApiKey()];
  const file = (keys: string): string => `accounts:\n  - { name: r, plan: free, keys: [${keys}] }\n`;
  await apply(file(`{ name: x, key: ${key} }, { name: y, key: ${left} }`));
  await apply(file(`{ name: x, sha256: ${hashApiKey(key)}, revoked: true }`));
  expect(await holder(key)).toBeUndefined();
  expect(await holder(left)).toMatchObject({ account: { name: "r" } });
  await apply(file(`{ name: x, key: ${key}, revoked: false }`));
  expect(await holder(key)).toBeUndefined();
});

test("a file with a fault at its end changes nothing", async () => {
  await expect(
    apply("accounts:\n  - { name: d, plan: free }\n  - { name: e, plan: none }\n"),
  ).rejects.toThrow(/accounts\[1\]\.plan/);
  expect(await store.accounts.find("d")).toBeUndefined();
});

test("a missing file is named", async () => {
  await expect(applyAccountsFile(join(directory, "none.yaml"), store)).rejects.toThrow(
    /none\.yaml: cannot be read \(ENOENT\)/,
  );
});
