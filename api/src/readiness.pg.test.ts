import { migrate } from "@glovebox/store";
import { bareDatabase, plainSql } from "@glovebox/store/testing";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import type { TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "./testing/harness.ts";
import { ask } from "./testing/requests.ts";
import { expectError } from "./testing/standard-headers.ts";

let database: TestDatabase;
let api: TestApi;
let sql: ReturnType<typeof plainSql>;

beforeEach(async () => {
  database = await bareDatabase(inject("databaseUrl"));
  await migrate(database.url);
  api = await startTestApi({ databaseUrl: database.url });
  sql = plainSql(database.url);
});
afterEach(async () => {
  await api.close();
  await sql.end();
  await database.drop();
});

async function lockWaits(): Promise<number> {
  const [row] = await sql<[{ waits: number }]>`
    select count(*)::int as waits from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row.waits;
}

const ASYNC = { Prefer: "respond-async" };
const ready = () => ask(`${api.url}/readyz`);
const list = ({ key }: TestAccount) => ask(`${api.url}/v1/scans`, { key });

test("while every connection of the pool waits for a lock the service is ready", async () => {
  const account = await newAccount(api.store);
  expect((await list(account)).status).toBe(200);
  const locked = await sql.reserve();
  await locked`begin`;
  await locked`lock table scans in access exclusive mode`;
  const waiting = Array.from({ length: 8 }, () => list(account));
  await expect.poll(lockWaits).toBe(4); // all connections of the pool of a test API
  expect((await ready()).status).toBe(200);
  await locked`rollback`;
  locked.release();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
});

describe("a database that comes back empty", () => {
  const everyRequest = async ({ key }: TestAccount) => [
    await ask(`${api.url}/v1/scans`, { key }),
    await ask(`${api.url}/v1/scan`, { key, body: { url: "https://93.184.215.14/" } }),
    await ask(`${api.url}/v1/scan/scan-01aaaaaaaaaaaaaaaaaaaaaaaa`, { key, method: "DELETE" }),
  ];

  test("makes the service unready, and unavailable to whoever asks, until it is migrated", async () => {
    const account = await newAccount(api.store);
    expect((await list(account)).status).toBe(200);
    await sql.unsafe("drop schema public cascade; drop schema drizzle cascade; create schema public");

    const unready = await ready();
    expectError(unready, 503, "unavailable");
    expect(unready.json.error.message).toBe("The database has no Glovebox schema; migrate it.");
    for (const response of await everyRequest(account)) {
      expectError(response, 503, "unavailable");
      expect(response.headers.get("retry-after")).toBe("5");
    }
    expect(api.log.join("")).toContain("SchemaMissing");
    expect((await ask(`${api.url}/healthz`)).status).toBe(200);

    await migrate(database.url);
    expect((await ready()).status).toBe(200);
    const again = await newAccount(api.store);
    expect((await list(again)).json).toMatchObject({ scans: [], total: 0 });
  });
});

test.each([
  ["older", "delete from drizzle.__drizzle_migrations where id > 2", 503],
  ["newer", "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 99999999999999)", 200],
])("a schema that is %s decides the response of readyz", async (_, statement, status) => {
  await sql.unsafe(statement);
  const response = await ready();
  expect(response.status).toBe(status);
  if (status === 503)
    expect(response.json.error.message).toBe("The database has an older schema; migrate it.");
});

test("a database without room for a row makes writes unavailable and the service unready, not broken", async () => {
  const account = await newAccount(api.store);
  // What PostgreSQL raises when a file cannot grow, for every new scan.
  await sql.unsafe(`
    create function no_space() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$;
    create trigger no_space before insert on scans for each row execute function no_space()`);
  const submit = () =>
    ask(`${api.url}/v1/scan`, { key: account.key, body: { url: "https://example.com" }, headers: ASYNC });
  const response = await submit();
  expectError(response, 503, "unavailable");
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await list(account)).status).toBe(200);
  const unready = await ready();
  expectError(unready, 503, "unavailable");
  expect(unready.json.error.message).toContain("disk space");
  expect(api.log.some((line) => line.includes("53100"))).toBe(true);
  await sql.unsafe("drop trigger no_space on scans");
  expect((await submit()).status).toBe(200);
});
