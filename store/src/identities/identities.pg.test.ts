import { MAX_IDENTITY_SETS, newScanId, type Identity } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Account, Store } from "../index.ts";
import { openStore } from "../store.ts";
import { freshDatabase, plainSql, type TestDatabase } from "../testing.ts";
import { completed, connectionRefused, created, newAccount, submit } from "../testing/fixtures.ts";
import { IdentitiesUnreadable, newIdentityKey, parseIdentityKeys } from "./identity-keys.ts";

const [OLD, NEW] = [newIdentityKey(), newIdentityKey()];
const ALICE: Identity = { name: "alice", role: "user", headers: { Authorization: "Bearer s3cret-of-alice" } };
const BOB: Identity = {
  name: "bob",
  role: "admin",
  login: { operation: "POST /session", body: { user: "bob", password: "s3cret-of-bob" } },
};
const identities = [ALICE, BOB];
const expectations = [{ role: "user" as const, deny: ["/admin/**"] }];
const ORIGIN = "https://api.example";

let database: TestDatabase;
let sql: ReturnType<typeof plainSql>;
let store: Store;
let account: Account;
const storeWith = (keys: string | undefined): Promise<Store> =>
  openStore({ url: database.url, identityKeys: keys === undefined ? undefined : parseIdentityKeys(keys) });

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  sql = plainSql(database.url);
  store = await storeWith(OLD);
  account = await newAccount(store);
});
afterAll(async () => {
  await store.close();
  await sql.end();
  await database.drop();
});

const rowsOf = (id: string) => sql<{ ciphertext: string }[]>`
  select ciphertext from scan_identities where scan_id = ${id}`;
/** All rows of all tables, as text. */
async function dump(): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema')`;
  const texts = await Promise.all(
    tables.map(({ name }) => sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`)),
  );
  return texts
    .flat()
    .map(({ row }) => row)
    .join("\n");
}

describe("the identities of a scan", () => {
  test("the identities of a scan are stored encrypted, and decrypted while the scan is processing", async () => {
    const id = await created(store, account, { identities, expectations });
    expect(await store.identities.ofScan(id)).toEqual({ identities, expectations });
    expect(await store.scans.find(account.id, id)).toMatchObject({ identityNames: ["alice", "bob"] });
    const stored = await dump();
    expect(stored).toContain(id);
    expect(stored).not.toMatch(/s3cret-of/);
  });

  test("the identities of a scan are none of a scan that was submitted without", async () => {
    const id = await created(store, account);
    expect(await store.identities.ofScan(id)).toBeUndefined();
    expect(await store.scans.find(account.id, id)).toMatchObject({ identityNames: null });
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ["completes", (id) => store.work.record(id, completed())],
    ["fails", (id) => store.work.record(id, connectionRefused)],
    ["is cancelled", (id) => store.scans.cancel(account.id, id)],
    ["is deleted while it is processing", (id) => store.scans.remove(account.id, id)],
  ])("the identities of a scan are deleted when the scan %s", async (_, end) => {
    const id = await created(store, account, { identities });
    await end(id);
    expect(await rowsOf(id)).toEqual([]);
    expect(await store.identities.ofScan(id)).toBeUndefined();
  });

  test("remain when another worker claims the scan after a crash", async () => {
    const id = await created(store, account, { identities });
    while ((await store.work.claim("crashed", 600))?.id !== id);
    await store.work.release("crashed", [id]);
    expect(await store.identities.ofScan(id)).toEqual({ identities });
  });

  test("the identities of a scan are gone with a row that retention deletes", async () => {
    const id = await created(store, account, { identities });
    await sql`delete from scans where id = ${id}`;
    expect(await rowsOf(id)).toEqual([]);
  });

  test("the identities of a scan are written for the first of two requests with one Idempotency-Key", async () => {
    const idempotency = { key: "once", bodyDigest: store.identities.digest("body") };
    const first = await created(store, account, { identities, idempotency });
    const second = newScanId(new Date());
    expect(await submit(store, account, { id: second, identities, idempotency })).toMatchObject({
      outcome: "replayed",
      scan: { id: first },
    });
    expect(await rowsOf(second)).toEqual([]);
  });

  test("the identities of a scan cannot be read for another scan to which the row was copied", async () => {
    const [mine, other] = [await created(store, account, { identities }), await created(store, account)];
    await sql`insert into scan_identities select ${other}, ciphertext from scan_identities where scan_id = ${mine}`;
    await expect(store.identities.ofScan(other)).rejects.toThrow(IdentitiesUnreadable);
  });

  test("the identities of a scan cannot be read for another target that the row was given", async () => {
    const id = await created(store, account, { identities });
    await sql`update scans set url = 'https://attacker.example/' where id = ${id}`;
    await expect(store.identities.ofScan(id)).rejects.toThrow(IdentitiesUnreadable);
  });

  test("the identities of a scan can be neither stored nor read without a key", async () => {
    const id = await created(store, account, { identities });
    const without = await storeWith(undefined);
    expect(without.identities.isAvailable).toBe(false);
    await expect(submit(without, account, { identities })).rejects.toThrow("without a key");
    await expect(without.identities.ofScan(id)).rejects.toThrow(IdentitiesUnreadable);
    await without.close();
  });
});

describe("the filters of a scan", () => {
  const filters = { include: ["/orders/**", 'tag:a, "b"'], exclude: ["DELETE"] };

  test("the filters of a scan are stored with its row", async () => {
    const id = await created(store, account, filters);
    expect(await store.scans.get(account.id, id)).toMatchObject(filters);
    expect(await store.launches.unlaunched("here", -60, 1_000)).toContainEqual(
      expect.objectContaining({ id, ...filters }),
    );
  });

  test("the filters of a scan are null where it has none", async () => {
    const id = await created(store, account);
    expect(await store.scans.get(account.id, id)).toMatchObject({ include: null, exclude: null });
  });

  test("the filters of a scan must be those of the Scan resource that is bound to the row", async () => {
    const id = await created(store, account, filters);
    const resource = {
      ...{ id, accountName: account.name, url: "https://api.example/v1", installation: "here" },
      ...{ uid: "u", namespace: "scans" },
    };
    expect(await store.scans.bind(resource)).toBe(false);
    expect(await store.scans.bind({ ...resource, ...filters })).toBe(true);
  });
});

describe("a saved set", () => {
  const STAGING = { name: "staging", origin: ORIGIN };
  const save = (name: string, of = account, origin = ORIGIN) =>
    store.identitySets.save(of.id, { name, origin }, { identities, expectations });

  test("a saved set is listed without its values, and read with them in its own account only", async () => {
    const [mine, other] = [await newAccount(store), await newAccount(store)];
    const saved = (await save("staging", mine))!;
    expect(await store.identitySets.list(mine.id)).toEqual([
      {
        ...{ id: saved.id, name: "staging", origin: ORIGIN, savedAt: expect.any(Date) },
        summary: [
          { name: "alice", role: "user", headers: ["Authorization"], cookies: [], query: [], login: false },
          { name: "bob", role: "admin", headers: [], cookies: [], query: [], login: true },
        ],
      },
    ]);
    expect(await store.identitySets.get(mine.id, STAGING)).toEqual({ identities, expectations });
    const elsewhere = { ...STAGING, origin: "https://other.example" };
    expect(await store.identitySets.get(mine.id, elsewhere)).toBeUndefined();
    expect(await store.identitySets.list(other.id)).toEqual([]);
    expect(await store.identitySets.get(other.id, STAGING)).toBeUndefined();
    expect(await store.identitySets.delete(other.id, saved.id)).toBeUndefined();
    expect(await store.identitySets.delete(mine.id, saved.id)).toMatchObject({ name: "staging" });
    expect(await store.identitySets.get(mine.id, STAGING)).toBeUndefined();
  });

  test("replaces the set of the same name and target", async () => {
    const mine = await newAccount(store);
    const first = (await save("staging", mine))!;
    await save("staging", mine, "https://other.example");
    const again = await store.identitySets.save(mine.id, STAGING, { identities: [ALICE] });
    expect(again!.id).toBe(first.id);
    expect(await store.identitySets.list(mine.id)).toHaveLength(2);
    expect(await store.identitySets.get(mine.id, STAGING)).toEqual({ identities: [ALICE] });
  });

  test(`a saved set is refused beyond ${MAX_IDENTITY_SETS}, also by simultaneous requests`, async () => {
    const mine = await newAccount(store);
    const names = Array.from({ length: MAX_IDENTITY_SETS + 3 }, (_, index) => `set ${index}`);
    const saved = await Promise.all(names.map((name) => save(name, mine)));
    expect(saved.filter((set) => set === undefined)).toHaveLength(3);
    const kept = saved.find((set) => set !== undefined)!;
    expect(await save(kept.name, mine)).toMatchObject({ id: kept.id });
  });

  test("a saved set cannot be read for another target that the row was given", async () => {
    const { id } = (await save("moved"))!;
    await sql`update identity_sets set origin = 'https://attacker.example' where id = ${id}`;
    const moved = { name: "moved", origin: "https://attacker.example" };
    await expect(store.identitySets.get(account.id, moved)).rejects.toThrow(IdentitiesUnreadable);
    await store.identitySets.delete(account.id, id);
  });
});

test("after a rotation, the old key is needed until everything is encrypted with the new one", async () => {
  await sql`delete from scan_identities`;
  await sql`delete from identity_sets`;
  const scan = await created(store, account, { identities });
  const set = { name: "set", origin: ORIGIN };
  await store.identitySets.save(account.id, set, { identities });
  const onlyNew = await storeWith(NEW);
  await expect(onlyNew.identities.ofScan(scan)).rejects.toThrow(IdentitiesUnreadable);
  expect(await onlyNew.reencryptIdentities()).toEqual({ reencrypted: 0, unreadable: 2 });

  const both = await storeWith(`${NEW}\n${OLD}`);
  expect(await both.identities.ofScan(scan)).toEqual({ identities });
  expect(await both.reencryptIdentities()).toEqual({ reencrypted: 2, unreadable: 0 });
  expect(await both.reencryptIdentities()).toEqual({ reencrypted: 0, unreadable: 0 });

  expect(await onlyNew.identities.ofScan(scan)).toEqual({ identities });
  expect(await onlyNew.identitySets.get(account.id, set)).toEqual({ identities });
  await Promise.all([onlyNew.close(), both.close()]);
});
