import { hashApiKey, openStore, type Store } from "@glovebox/store";
import { freshDatabase, plainSql } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { UserError } from "../command-line.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string; // of test/support/postgres.ts
  }
}

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const at = (url: string) => ({ url, setting: "DATABASE_URL", publicUrl: undefined });
const options = { name: "ci", scopes: undefined, expiresAt: undefined };
const holderOf = (key: string) => store.keys.findByHash(hashApiKey(key));

describe("createKey", () => {
  test("makes the account where there is none, and a key that its holder is found by", async () => {
    const key = await createKey({ ...options, account: "new", plan: "free" }, at(database.url));
    expect(await holderOf(key)).toMatchObject({ account: { name: "new", plan: "free" }, scopes: [] });
  });

  test("gives an account the plan, and leaves its owner and its own rate as they are", async () => {
    const terms = { name: "payments", owner: "team@example.com", requestsPerMinute: 1_200 };
    await store.accounts.declare({ ...terms, plan: "pro" });
    const key = await createKey({ ...options, account: "payments", plan: "enterprise" }, at(database.url));
    expect((await holderOf(key))?.account).toMatchObject({ ...terms, plan: "enterprise" });
  });
});

describe("listKeys", () => {
  test("gives the keys of the account, and nothing that a key could be made from", async () => {
    const key = await createKey({ ...options, account: "listed", plan: "free" }, at(database.url));
    const keys = await listKeys("listed", at(database.url));
    expect(keys).toMatchObject([{ id: (await holderOf(key))!.keyId, name: "ci", scopes: [] }]);
    expect(JSON.stringify(keys)).not.toContain(hashApiKey(key));
  });

  test("says that the account was not found", async () => {
    const listed = listKeys("nobody", at(database.url));
    await expect(listed).rejects.toThrow(new UserError("--account: not found"));
  });
});

describe("revokeKey", () => {
  test("makes the service refuse the key", async () => {
    const key = await createKey({ ...options, account: "revoked", plan: "free" }, at(database.url));
    const { account } = (await holderOf(key))!;
    await revokeKey((await holderOf(key))!.keyId, at(database.url));
    expect(await holderOf(key)).toBeUndefined();
    const entries = await store.audit.list(account.id, { limit: 9 });
    expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
      ["command line", "key.revoke"],
      ["command line", "key.create"],
      ["command line", "account.create"],
    ]);
  });

  test.each([
    ["gbx_1", "KEY_ID: must be the id of a key, as `glovebox keys list` shows it"],
    ["00000000-0000-4000-8000-000000000000", "KEY_ID: not found"],
  ])("refuses %s in one line", async (id, message) => {
    await expect(revokeKey(id, at(database.url))).rejects.toThrow(new UserError(message));
  });
});

const elsewhere = (change: Partial<URL>): string => Object.assign(new URL(database.url), change).href;

test.each<[string, () => string, string]>([
  ["is away", () => elsewhere({ port: "1" }), "cannot be reached"],
  ["refuses the password", () => elsewhere({ password: "wrong" }), "does not exist, or refuses this user"],
])("a database that %s is reported in one line by every command for keys", async (_kind, url, reason) => {
  const said = new UserError(`DATABASE_URL: the database ${reason}.`);
  const database = at(url());
  await expect(createKey({ ...options, account: "new", plan: "free" }, database)).rejects.toThrow(said);
  await expect(listKeys("new", database)).rejects.toThrow(said);
  await expect(revokeKey("00000000-0000-4000-8000-000000000000", database)).rejects.toThrow(said);
});

describe("what goes wrong while a key is stored", () => {
  const create = (account: string) => createKey({ ...options, account, plan: "free" }, at(database.url));

  test("what goes wrong while a key is stored for want of a right is said to be that, in one line", async () => {
    const sql = plainSql(database.url);
    const role = `reader_${new URL(database.url).pathname.slice(1)}`;
    await sql.unsafe(`create role ${role} login password 'secret'`);
    await sql.unsafe(`grant usage, create on schema public, drizzle to ${role}`);
    await sql.unsafe(`grant create on database ${new URL(database.url).pathname.slice(1)} to ${role}`);
    await sql.unsafe(`grant select on all tables in schema public, drizzle to ${role}`);
    await sql.unsafe(`grant usage on all sequences in schema drizzle to ${role}`);
    const url = elsewhere({ username: role, password: "secret" });
    await expect(createKey({ ...options, account: "new", plan: "free" }, at(url))).rejects.toThrow(
      new UserError("DATABASE_URL: the database does not grant this user the required permissions."),
    );
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`);
    await sql.end();
  });

  test("what goes wrong while a key is stored by a constraint of the database is said to be that, with its code and no value", async () => {
    const sql = plainSql(database.url);
    await sql.unsafe("alter table keys add constraint no_more check (false) not valid");
    await expect(create("constrained")).rejects.toThrow(
      new UserError("DATABASE_URL: the database rejected the data (23514)."),
    );
    await sql.unsafe("alter table keys drop constraint no_more");
    await sql.end();
  });
});
