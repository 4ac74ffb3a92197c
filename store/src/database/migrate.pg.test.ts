import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { created, newAccount } from "../testing/fixtures.ts";
import { migrate } from "./migrate.ts";
import { MIGRATION } from "./schema-version.ts";
import { openStore } from "../store.ts";
import { bareDatabase, plainSql, type TestDatabase } from "../testing.ts";
import { MigrationFailed, StoreUnavailable } from "./unavailable.ts";

let database: TestDatabase;
let url: string;
let sql: Sql;

beforeEach(async () => {
  database = await bareDatabase(inject("databaseUrl"));
  url = database.url;
  sql = plainSql(url);
});
afterEach(async () => {
  await sql.end();
  await database.drop();
});

test("five migrations at the same time leave one whole schema, and a sixth changes nothing", async () => {
  /** Columns, functions and versions, each with the transaction that wrote it. */
  const written = () => sql`
    select 'column' as kind, attrelid::regclass || '.' || attname as name, pg_attribute.xmin
      from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
    union all select 'function', oid::text, xmin from pg_proc where pronamespace = 'public'::regnamespace
    union all select 'version', sha256, xmin from sql_versions
    union all select 'migration', hash, xmin from drizzle.__drizzle_migrations
    order by 1, 2`;
  await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  const before = await written();
  expect(new Set(before.map(({ kind }) => kind))).toEqual(
    new Set(["column", "function", "version", "migration"]),
  );
  await migrate(url);
  expect(await written()).toEqual(before);
  const store = await openStore({ url });
  expect(await store.schemaState()).toBe("current");
  await created(store, await newAccount(store));
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

describe("the functions", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "glovebox-sql-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, body: string) => writeFileSync(join(folder, name), body);
  const answering = (value: number) =>
    `create or replace function answer() returns integer language sql as 'select ${value}'`;
  const answer = async () => (await sql<[{ answer: number }]>`select answer()`)[0].answer;
  const versions = () => sql`select sha256 from sql_versions`;

  test("the functions are replaced when a file has changed, and left alone when none has", async () => {
    write("answer.sql", answering(1));
    await migrate(url, { sqlFolder: folder });
    await sql.unsafe(answering(7));
    await migrate(url, { sqlFolder: folder });
    expect(await answer()).toBe(7);

    write("answer.sql", answering(2));
    await Promise.all([1, 2, 3].map(() => migrate(url, { sqlFolder: folder })));
    expect(await answer()).toBe(2);
    expect(await versions()).toHaveLength(2);

    write("answer.sql", answering(1));
    await migrate(url, { sqlFolder: folder });
    expect(await answer()).toBe(1);
  });

  test.each([
    ["a syntax error", "create function", /^sql\/broken\.sql cannot be applied: syntax error/],
    [
      "an unknown column",
      "select nothing from scans",
      /^sql\/broken\.sql cannot be applied: column "nothing"/,
    ],
  ])("stay all as they were when one file has %s, and the error names it", async (_, body, message) => {
    write("answer.sql", answering(1));
    await migrate(url, { sqlFolder: folder });
    write("answer.sql", answering(2));
    write("broken.sql", body);
    const error = await migrate(url, { sqlFolder: folder }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MigrationFailed);
    expect((error as Error).message).toMatch(message);
    expect(await answer()).toBe(1);

    rmSync(join(folder, "broken.sql"));
    await migrate(url, { sqlFolder: folder });
    expect(await answer()).toBe(2);
  });

  test("the functions of another release make a program ready that they follow, and none that they precede", async () => {
    const store = await openStore({ url });
    expect(await store.schemaState()).toBe("missing");
    write("answer.sql", answering(1));
    await migrate(url, { sqlFolder: folder });
    expect(await store.schemaState()).toBe("older");
    await migrate(url);
    expect(await store.schemaState()).toBe("current");
    write("answer.sql", answering(2));
    await migrate(url, { sqlFolder: folder });
    expect(await store.schemaState()).toBe("newer");
    await store.close();
  });
});

describe("an upgrade from the first release", () => {
  /** Its tables, and of its functions those whose arguments have changed since; 1795286760213 was its last migration. */
  const release = async (): Promise<void> => {
    for (const name of ["0000_tables.sql", "0001_launched_at.sql"])
      await sql.unsafe(readFileSync(new URL(`../../migrations/${name}`, import.meta.url), "utf8"));
    await sql.unsafe(`
      create schema drizzle;
      create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('', 1795286760213);
      create function submit_scan(p_id text, p_account uuid, p_url text, p_spec_url text, p_context text,
        p_now timestamptz, p_month text, p_quota integer, p_key text, p_digest text, out outcome text, out scan text)
        language sql as 'select null, null';
      create function adopt_scan(p_id text, p_account text, p_url text, p_spec_url text, p_context text,
        p_now timestamptz, p_month text, p_quota integer) returns text language sql as 'select null';
      create function charge_scan(p_account uuid, p_month text, p_shard smallint, p_quota integer)
        returns boolean language sql as 'select null::boolean';
      create function end_scan(p_id text, p_now timestamptz, p_score smallint, p_grade text, p_findings integer,
        p_body text, p_failure_code text, p_failure_message text, p_give_back boolean)
        returns boolean language sql as 'select null::boolean'`);
  };
  /** As that release calls it: with parameters whose types follow from the function. */
  const oldSubmission = (id: string, account: string) =>
    sql.unsafe("select outcome from submit_scan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", [
      ...[id, account, "https://api.example/", null, null],
      ...[new Date().toISOString(), "2026-11", 100, null, null],
    ]);

  test("leaves its functions to the pods that still call them, with the quota of today", async () => {
    await release();
    await Promise.all([migrate(url), migrate(url)]);
    const store = await openStore({ url });
    expect(await store.schemaState()).toBe("current");
    const account = await newAccount(store, "free");
    await created(store, account);
    expect(await oldSubmission("scan-1", account.id)).toMatchObject([{ outcome: "created" }]);
    expect(
      await sql`
        select adopt_scan('scan-2', ${account.name}, 'https://api.example/', null, null, now(), '2026-11', 100)`,
    ).toMatchObject([{ adopt_scan: "adopted" }]);
    expect(await oldSubmission("scan-3", account.id)).toMatchObject([{ outcome: "quotaExceeded" }]);
    await store.close();
  });

  test("an upgrade from the first release that fails at the functions keeps the tables of today, so that a second attempt goes on from there", async () => {
    await release();
    await sql`create function quota_month(timestamptz) returns integer language sql as 'select 1'`;
    await expect(migrate(url)).rejects.toThrow("sql/quota.sql cannot be applied: cannot change return type");
    expect(await sql`select max(created_at) as last from drizzle.__drizzle_migrations`).toMatchObject([
      { last: String(MIGRATION) },
    ]);
    await sql`drop function quota_month(timestamptz)`;
    await migrate(url);
  });
});
