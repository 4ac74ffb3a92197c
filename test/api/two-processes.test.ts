import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { hashApiKey, newApiKey, openStore, type Store } from "@glovebox/store";
import { scanFailure, type Plan } from "@glovebox/contract";
import { freshDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("support/api-process.ts", import.meta.url));
let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let processes: { child: ChildProcess; url: string }[];

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
  processes = await Promise.all([startApi(), startApi()]);
});
afterAll(async () => {
  const exits = processes.map(({ child }) => once(child, "exit"));
  for (const { child } of processes) child.stdin?.end();
  await Promise.all(exits);
  await store.close();
  await database.drop();
});

async function startApi() {
  const child = spawn(process.execPath, ["--conditions=source", PROGRAM], {
    env: { DATABASE_URL: database.url },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, url };
}

async function newKey(plan: Plan, requestsPerMinute?: number): Promise<string> {
  const key = newApiKey();
  const { id } = await store.accounts.declare({ name: key.slice(4, 14), plan, requestsPerMinute });
  await store.keys.add({ accountId: id, name: "k", sha256: hashApiKey(key) });
  return key;
}

const urlOf = (index: number): string => processes[index % processes.length]!.url;
const submit = (index: number, key: string, headers: Record<string, string> = {}) =>
  fetch(`${urlOf(index)}/v1/scan`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Prefer: "respond-async",
      ...headers,
    },
    body: JSON.stringify({ url: "https://example.com" }),
  });

test("100 simultaneous POSTs of a Free account to two processes start 3 scans, and 97 get 429", async () => {
  // Tests the quota of the plan: its rate limit of 10 requests a minute is raised.
  const key = await newKey("free", 1000);
  const responses = await Promise.all(Array.from({ length: 100 }, (_, index) => submit(index, key)));
  const started = responses.filter(({ status }) => status === 200);
  const refused = responses.filter(({ status }) => status === 429);
  expect([started.length, refused.length]).toEqual([3, 97]);
  for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);

  const list = await fetch(`${urlOf(0)}/v1/scans`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await list.json()).toMatchObject({ total: 3, limit: 20, offset: 0 });
});

test("simultaneous POSTs with one Idempotency-Key to two processes start and charge one scan", async () => {
  const key = await newKey("free", 1000);
  const headers = { "Idempotency-Key": "deploy-7" };
  const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => submit(index, key, headers)));
  const bodies = (await Promise.all(responses.map((response) => response.json()))) as { id: string }[];
  expect([new Set(responses.map(({ status }) => status)), new Set(bodies.map(({ id }) => id)).size]).toEqual([
    new Set([200]),
    1,
  ]);
  expect((await submit(0, key)).status).toBe(200);
  expect((await submit(1, key)).status).toBe(200);
  expect((await submit(0, key)).status).toBe(429);
});

test("a POST held in one process gets its response when another process records the failure of its scan", async () => {
  const key = await newKey("free");
  const submitted = Promise.withResolvers<string>();
  const stop = await store.events.listen((event) => {
    if (event.type === "scanSubmitted") submitted.resolve(event.id);
  });
  const held = submit(0, key, { Prefer: "wait=60" });
  const id = await submitted.promise;
  await stop();
  await store.work.record(id, { status: "failed", failure: scanFailure("target_timeout") });
  const response = await held;
  expect([response.status, response.headers.get("location")]).toEqual([500, `/v1/scan/${id}`]);
});
