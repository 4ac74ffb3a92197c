import { randomBytes } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { migrate } from "./migrate.ts";
import { openStore } from "./store.ts";
import { StoreUnavailable } from "./unavailable.ts";

let admin: Sql;
let name: string;
let url: string;

beforeEach(async () => {
  admin = postgres(inject("databaseUrl"), { max: 1, onnotice: () => {} });
  name = `test_${randomBytes(8).toString("hex")}`;
  await admin.unsafe(`create database ${name}`);
  url = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${name}` }).href;
});
afterEach(async () => {
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
});

test("five migrations at once leave one whole schema, and a sixth changes nothing", async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  await migrate(url);
  const store = await openStore({ url });
  await store.accounts.declare({ name: "a", plan: "free" });
  await store.close();
});

test("a migration that waits in vain for another says so", async () => {
  const holder = postgres(url, { max: 1 });
  await holder`select pg_advisory_lock(4716030901)`;
  await expect(migrate(url, { waitSeconds: 1 })).rejects.toThrow(
    "Another process has been migrating this database for 1 seconds; try again later.",
  );
  await holder.end();
});

test("without a database it is unavailable", async () => {
  await expect(migrate("postgres://nobody@127.0.0.1:1/none")).rejects.toBeInstanceOf(StoreUnavailable);
});
