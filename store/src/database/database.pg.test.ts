import { COMMAND_LINE } from "../audit/audit.ts";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { Database } from "./database.ts";
import { newAccount, created } from "../testing/fixtures.ts";
import type { Tables } from "../store.ts";
import { bareDatabase, freshDatabase, openStoreAt, type TestDatabase } from "../testing.ts";
import { StoreUnavailable } from "./unavailable.ts";

let own: TestDatabase;
let admin: Sql;
const cleanUp: (() => unknown)[] = [];
beforeEach(async () => {
  own = await bareDatabase(inject("databaseUrl"));
  admin = postgres(inject("databaseUrl"), { max: 1 });
});
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
  await admin.end();
  await own.drop();
});

/** A way to the database that can fall silent: what is open stays open, and new connections are refused. */
async function wayToDatabase() {
  const target = new URL(own.url);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    sockets.push(client, upstream);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUp.push(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    fallSilent() {
      sockets.forEach((socket) => socket.unpipe().pause());
      server.close();
    },
    /** No response comes over the connection that was made first; the others, and new ones, are as before. */
    silenceFirst: () => void sockets[1]!.unpipe(),
    refused: () =>
      new Promise<void>((resolve) => {
        connect(Number(url.port), url.hostname)
          .on("error", () => undefined)
          .once("close", () => resolve());
      }),
  };
}

/** Of the pool under test, as the server sees them: autovacuum workers have separate entries. */
async function serverConnections(): Promise<{ pid: number; state: string }[]> {
  const name = new URL(own.url).pathname.slice(1);
  return admin`
    select pid, state from pg_stat_activity
    where datname = ${name} and backend_type = 'client backend' order by pid`;
}

const connectedPids = async (): Promise<number[]> => (await serverConnections()).map(({ pid }) => pid);

const runningStatements = async (): Promise<number> =>
  (await serverConnections()).filter(({ state }) => state === "active").length;

function openPool(options: Partial<ConstructorParameters<typeof Database>[0]> = {}): Database {
  const limits = { connectTimeoutSeconds: 2, statementTimeoutSeconds: 2 };
  const pool = new Database({ url: own.url, ...limits, ...options });
  cleanUp.push(() => pool.close());
  return pool;
}

const pidOf = (pool: Database, seconds = 0): Promise<number> =>
  pool.run(async (sql) => {
    const [row] = await sql<[{ pid: number }]>`
      select pg_backend_pid() as pid from (select pg_sleep(${seconds})) as slept`;
    return row.pid;
  });

describe("more statements than connections", () => {
  test("wait, or are refused after a while, on the same connections and never more of them", async () => {
    const pool = openPool({ maxConnections: 2, queueTimeoutSeconds: 1 });
    const first = new Set(await Promise.all([pidOf(pool, 0.1), pidOf(pool, 0.1)]));
    expect(first.size).toBe(2);

    const load = Promise.allSettled(Array.from({ length: 20 }, () => pidOf(pool, 0.3)));
    let isOver = false;
    void load.finally(() => (isOver = true));
    let most = 0;
    while (!isOver) most = Math.max(most, (await connectedPids()).length);
    const outcomes = await load;
    const served = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));

    expect(most).toBe(2);
    expect(new Set(served)).toEqual(first);
    expect(served.length).toBeGreaterThanOrEqual(2); // one by each connection, however slow the machine is
    expect(refused.length).toBeGreaterThanOrEqual(8);
    for (const error of refused) expect(error).toBeInstanceOf(StoreUnavailable);
    expect(first).toContain(await pidOf(pool));
  });

  test("run in the order in which they came", async () => {
    const pool = openPool({ maxConnections: 1 });
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((number) => pidOf(pool, 0.01).then(() => order.push(number))));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  test("wait no longer once the store is closed", async () => {
    const pool = openPool({ maxConnections: 1 });
    await pidOf(pool);
    const [running, waiting] = [pidOf(pool, 0.2), pidOf(pool)];
    const outcomes = Promise.allSettled([running, waiting]);
    await expect.poll(runningStatements).toBe(1);
    await pool.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(pidOf(pool)).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describe("a connection without a response", () => {
  test("a connection without a response is replaced, and the others are not", async () => {
    const way = await wayToDatabase();
    const pool = openPool({ url: way.url, maxConnections: 2 });
    const silent = await pidOf(pool);
    const [, other] = await Promise.all([pidOf(pool, 0.1), pidOf(pool, 0.1)]);
    way.silenceFirst();
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => pidOf(pool, 0.05)));
    const lost = outcomes.filter(({ status }) => status === "rejected");
    expect(lost).toHaveLength(1);
    expect(lost[0]).toMatchObject({ reason: expect.any(StoreUnavailable) });

    const pids = new Set(await Promise.all([pidOf(pool, 0.1), pidOf(pool, 0.1)]));
    expect(pids.size).toBe(2);
    expect(pids).toContain(other);
    expect(pids).not.toContain(silent);
    await expect.poll(connectedPids).toEqual([...pids].toSorted((a, b) => a - b));
  });

  test("a connection without a response in an outage that refuses connections, fails its statement and leaves the process alone", async () => {
    const unheard: unknown[] = [];
    const note = (error: unknown): void => void unheard.push(error);
    process.on("unhandledRejection", note);
    cleanUp.push(() => process.off("unhandledRejection", note));
    const way = await wayToDatabase();
    const pool = openPool({ url: way.url, maxConnections: 1 });
    await pidOf(pool);
    way.fallSilent();
    const [sent, queued] = [pidOf(pool), pidOf(pool)];
    const outcomes = await Promise.allSettled([sent, queued]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await pool.close();
    await way.refused(); // and so is whoever tried before
    expect(unheard).toEqual([]);
  });
});

test("a database that accepts connections and drops them immediately costs no connection once it is back", async () => {
  const target = new URL(own.url);
  let isBack = false;
  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (!isBack) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname).on("error", () => undefined);
    client.pipe(upstream).pipe(client);
    client.on("close", () => upstream.destroy());
  }).listen(0, "127.0.0.1");
  cleanUp.push(() => server.close());
  await once(server, "listening");
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);

  const pool = openPool({ url: url.href, maxConnections: 2 });
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => pidOf(pool)));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  isBack = true;
  await expect.poll(() => pidOf(pool).catch(() => 0), { timeout: 10_000 }).toBeGreaterThan(0);
  const pids = new Set(await Promise.all(Array.from({ length: 8 }, () => pidOf(pool, 0.05))));
  expect(pids.size).toBe(2);
  await expect.poll(connectedPids, { timeout: 5_000 }).toHaveLength(2);
});

test("moments are read the same with any defaults of the database and the role", async () => {
  const database = await freshDatabase(inject("databaseUrl"));
  cleanUp.push(() => database.drop());
  const name = new URL(database.url).pathname.slice(1);
  const role = `role_${name}`;
  await admin.unsafe(`create role ${role} login superuser password 'secret'`);
  cleanUp.push(() => admin.unsafe(`drop role ${role}`));
  await admin.unsafe(`alter database ${name} set datestyle = 'SQL, DMY'`);
  await admin.unsafe(`alter role ${role} set datestyle = 'German'`);
  await admin.unsafe(`alter role ${role} set timezone = 'Asia/Tokyo'`);
  const url = Object.assign(new URL(database.url), { username: role, password: "secret" });
  const now = new Date("2026-11-03T23:30:00.123Z");
  const store = await openStoreAt({ url: url.href }, () => now);
  cleanUp.push(() => store.close());
  const account = await newAccount(store);
  const id = await created(store, account);
  expect((await store.scans.get(account.id, id))?.createdAt).toEqual(now);
  expect((await store.scans.list(account.id, { limit: 1, offset: 0 })).scans[0]?.createdAt).toBe(
    now.toISOString(),
  );
  expect(await store.launches.unlaunched("here", -60, 1)).toMatchObject([{ id, ageSeconds: 0 }]);
});

test("a transaction is committed as a whole and announced afterwards, or not at all", async () => {
  const database = await freshDatabase(inject("databaseUrl"));
  cleanUp.push(() => database.drop());
  const store = await openStoreAt({ url: database.url }, () => new Date());
  cleanUp.push(() => store.close());
  const account = await newAccount(store);
  const announced: string[] = [];
  const stop = await store.events.listen(
    (event) => void (event.type === "scanSubmitted" && announced.push(event.id)),
  );
  cleanUp.push(stop);
  const ids = ["scan-01kahr5zn8v3mwf2c7d9e4x6bq", "scan-01kahr5zn8v3mwf2c7d9e4x6br"] as const;
  const renameAndSubmit = (id: string, name: string) => async (tables: Tables) => {
    await tables.scans.submit({ actor: COMMAND_LINE, id, account, url: "https://api.example/" });
    if (!(await tables.accounts.rename(account.id, name))) throw new Error("taken");
  };
  const other = await newAccount(store);
  await expect(store.transaction(renameAndSubmit(ids[0], other.name))).rejects.toThrow("taken");
  await store.transaction(renameAndSubmit(ids[1], "renamed"));
  await expect.poll(() => announced).toEqual([ids[1]]);
  expect(await store.scans.get(account.id, ids[0])).toBeUndefined();
  expect(await store.scans.get(account.id, ids[1])).toMatchObject({ status: "processing" });
  expect((await store.accounts.findById(account.id))?.name).toBe("renamed");
});
