import { randomUUID } from "node:crypto";
import { hashApiKey, newApiKey } from "./api-key.ts";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, clock, newAccount } from "../testing/fixtures.ts";
import { KeyRefused } from "./keys.ts";
import type { Store } from "../index.ts";
import { freshDatabase, openStoreAt, plainSql } from "../testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let sql: Sql;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
  sql = plainSql(database.url);
});
beforeEach(() => {
  clock.at = NOON;
});
afterAll(async () => {
  await Promise.all([store.close(), sql.end()]);
  await database.drop();
});

const newHash = () => hashApiKey(newApiKey());

describe("an account", () => {
  test("declared again keeps its id and takes the new terms", async () => {
    const first = await store.accounts.declare({ name: "payments", plan: "free", owner: "a@example.com" });
    const again = await store.accounts.declare({
      name: "payments",
      plan: "enterprise",
      requestsPerMinute: 900,
    });
    const expected = {
      id: first.id,
      name: "payments",
      plan: "enterprise",
      owner: null,
      requestsPerMinute: 900,
      scansPerMonth: null,
      activeMode: false,
      suspendedAt: null,
    };
    expect(again).toEqual(expected);
    expect(await store.accounts.find("payments")).toEqual(expected);
  });

  test("an account that was never declared is not found", async () => {
    expect(await store.accounts.find("nobody")).toBeUndefined();
  });
});

describe("a key", () => {
  test("a key is found by its hash, with its account, scopes and expiry", async () => {
    const account = await newAccount(store, "pro");
    const key = { accountId: account.id, name: "ci", sha256: newHash(), expiresAt: after(60) };
    const { keyId } = await store.keys.add({ ...key, scopes: ["scans:read"] });
    expect(await store.keys.findByHash(key.sha256)).toEqual({
      ...{ keyId, keyName: "ci", account, scopes: ["scans:read"], expiresAt: after(60) },
    });
  });

  test("a key is accepted until the moment it expires", async () => {
    const key = {
      accountId: (await newAccount(store)).id,
      name: "ci",
      sha256: newHash(),
      expiresAt: after(60),
    };
    await store.keys.add(key);
    clock.at = after(59);
    expect(await store.keys.findByHash(key.sha256)).toBeDefined();
    clock.at = after(60);
    expect(await store.keys.findByHash(key.sha256)).toBeUndefined();
  });

  test("a key that is revoked is refused, and adding it again does not bring it back", async () => {
    const key = { accountId: (await newAccount(store)).id, name: "ci", sha256: newHash() };
    const { keyId } = await store.keys.add(key);
    await store.keys.revoke(keyId);
    await store.keys.add(key);
    expect(await store.keys.findByHash(key.sha256)).toBeUndefined();
  });

  test("added again in its account changes scopes and expiry only", async () => {
    const key = { accountId: (await newAccount(store)).id, name: "ci", sha256: newHash() };
    const first = await store.keys.add({ ...key, scopes: ["scans:read"], expiresAt: after(1) });
    expect(await store.keys.add({ ...key, name: "renamed" })).toEqual({
      keyId: first.keyId,
      before: first.after,
      after: { name: "renamed", scopes: [], expiresAt: null },
    });
    expect(await store.keys.findByHash(key.sha256)).toMatchObject({ scopes: [], expiresAt: null });
  });

  test("a key of one account cannot be added to another", async () => {
    const [first, second] = [await newAccount(store), await newAccount(store)];
    const sha256 = newHash();
    await store.keys.add({ accountId: first.id, name: "ci", sha256 });
    await expect(store.keys.add({ accountId: second.id, name: "theirs", sha256 })).rejects.toThrow(
      new KeyRefused("otherAccount"),
    );
    expect(await store.keys.findByHash(sha256)).toMatchObject({ account: first });
  });

  test("a key of an account that is not there cannot be added", async () => {
    const key = { accountId: randomUUID(), name: "ci", sha256: newHash() };
    await expect(store.keys.add(key)).rejects.toMatchObject({ name: "KeyRefused", reason: "unknownAccount" });
  });

  test("a key is listed with what may be told of it, in the order of creation, and the keys of others are not", async () => {
    const [account, other] = [await newAccount(store), await newAccount(store)];
    const add = (accountId: string, name: string) => store.keys.add({ accountId, name, sha256: newHash() });
    await add(other.id, "theirs");
    const first = await store.keys.add({
      ...{ accountId: account.id, name: "first", sha256: newHash() },
      ...{ scopes: ["scans:read"], expiresAt: after(60) },
    });
    const second = await add(account.id, "second");
    await sql`update keys set created_at = created_at - interval '1 minute' where id = ${first.keyId}`;
    await store.keys.touch(new Map([[first.keyId, after(5)]]));
    clock.at = after(9);
    await store.keys.revoke(second.keyId);
    const never = { expiresAt: null, lastUsedAt: null, revokedAt: null };
    const createdAt = expect.any(Date);
    expect(await store.keys.list(account.id)).toEqual([
      {
        ...{ ...never, id: first.keyId, name: "first", scopes: ["scans:read"], createdAt },
        ...{ expiresAt: after(60), lastUsedAt: after(5) },
      },
      { ...never, id: second.keyId, name: "second", scopes: [], createdAt, revokedAt: after(9) },
    ]);
  });

  test("a key that is none cannot be revoked, and one that is revoked keeps its first moment", async () => {
    const account = await newAccount(store);
    const { keyId } = await store.keys.add({ accountId: account.id, name: "ci", sha256: newHash() });
    expect(await store.keys.revoke(account.id)).toBeUndefined();
    expect(await store.keys.revoke(keyId)).toEqual({ accountId: account.id, name: "ci", wasRevoked: false });
    clock.at = after(9);
    expect(await store.keys.revoke(keyId)).toEqual({ accountId: account.id, name: "ci", wasRevoked: true });
    expect(await store.keys.list(account.id)).toMatchObject([{ revokedAt: NOON }]);
  });

  test("remembers its latest use, in any order of the reports", async () => {
    const { keyId } = await store.keys.add({
      accountId: (await newAccount(store)).id,
      name: "ci",
      sha256: newHash(),
    });
    await store.keys.touch(new Map([[keyId, after(20)]]));
    await store.keys.touch(new Map([[keyId, after(10)]]));
    await using sql = Object.assign(postgres(database.url, { max: 1 }), {
      [Symbol.asyncDispose]: () => sql.end(),
    });
    expect(await sql`select last_used_at from keys where id = ${keyId}`).toEqual([
      { last_used_at: after(20) },
    ]);
  });
});
