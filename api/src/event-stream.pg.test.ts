import { delivered } from "@glovebox/scan-run";
import { hashApiKey, newApiKey } from "@glovebox/store";
import { scanFailure, scanSchema } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { StreamReader } from "./testing/event-stream.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "./testing/harness.ts";
import { ask } from "./testing/requests.ts";
import { sampleOutcome } from "./testing/sample-report.ts";
import { expectError, expectStandardHeaders } from "./testing/standard-headers.ts";
import { until } from "./testing/until.ts";

let database: TestDatabase;
let api: TestApi;
let worker: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi({ databaseUrl: database.url, settings: { heartbeatSeconds: 0.05 } });
  worker = await startTestApi({ databaseUrl: database.url });
  owner = await newAccount(api.store);
});
afterAll(async () => {
  await Promise.all([api.close(), worker.close()]);
  await database.drop();
});

async function submitted(): Promise<string> {
  const { json } = await ask(`${api.url}/v1/scan`, {
    key: owner.key,
    headers: { Prefer: "respond-async" },
    body: { url: "https://example.com" },
  });
  return json.id;
}
interface Reader {
  readonly url?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}
async function open(
  id: string,
  { url = api.url, key = owner.key, headers }: Reader = {},
): Promise<StreamReader> {
  const init = { headers: { Authorization: `Bearer ${key}`, ...headers } };
  return new StreamReader(await fetch(`${url}/v1/scan/${id}/events`, init));
}
const record = (id: string, outcome = sampleOutcome()) => worker.store.work.record(id, delivered(outcome));
const progress = (id: string, done: number) =>
  worker.store.work.progress(
    id,
    { frame: "progress", category: "ssrf", done, planned: 4 },
    { done: done + 5, planned: 90 },
  );

test("progress comes as it happens in another process, then the completed scan, then the end", async () => {
  const id = await submitted();
  const stream = await open(id);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expectStandardHeaders({ status: 200, headers: stream.response.headers, text: "", json: undefined });

  await progress(id, 1);
  expect(await stream.next()).toEqual({
    event: "progress",
    data: { category: "ssrf", done: 1, planned: 4, total: { done: 6, planned: 90 } },
  });
  await record(id);
  const rest = await stream.rest();
  const ended = rest.at(-1)!;
  expect(rest.filter(({ event }) => event !== "progress")).toHaveLength(1);
  expect([ended.event, scanSchema.parse(ended.data).status]).toEqual(["completed", "completed"]);
});

test("a failed scan ends the stream with its failure", async () => {
  const id = await submitted();
  const stream = await open(id);
  await record(id, { status: "failed", failure: scanFailure("tls_failure") });
  expect(await stream.rest()).toMatchObject([{ event: "failed", data: { error: { code: "tls_failure" } } }]);
});

test("a scan cancelled and deleted meanwhile ends the stream as cancelled", async () => {
  const id = await submitted();
  const stream = await open(id);
  for (const _ of [1, 2]) await ask(`${api.url}/v1/scan/${id}`, { key: owner.key, method: "DELETE" });
  expect(await stream.rest()).toMatchObject([{ event: "failed", data: { error: { code: "cancelled" } } }]);
});

test("an ended scan is streamed immediately, and Last-Event-ID changes nothing", async () => {
  const id = await submitted();
  await record(id);
  for (const headers of [{}, { "Last-Event-ID": "7\u00ff" }])
    expect(await (await open(id, { headers })).rest()).toMatchObject([{ event: "completed", data: { id } }]);
});

test("comments keep a quiet stream alive", async () => {
  const id = await submitted();
  const stream = await open(id);
  const ended = stream.rest();
  await until(() => stream.comments >= 2);
  await record(id);
  expect((await ended).at(-1)?.event).toBe("completed");
});

test("a client that leaves is waited for no longer", async () => {
  const quiet = await startTestApi({ databaseUrl: database.url });
  const id = await submitted();
  const leave = new AbortController();
  const init = { signal: leave.signal, headers: { Authorization: `Bearer ${owner.key}` } };
  await fetch(`${quiet.url}/v1/scan/${id}/events`, init);
  const waiting = async (): Promise<string | undefined> =>
    /glovebox_waiters (\d+)\n/.exec((await ask(`${quiet.url}/metrics`)).text)?.[1];
  expect(await waiting()).toBe("1");
  leave.abort();
  await until(async () => (await waiting()) === "0");
  await quiet.close();
});

test("HEAD has the headers and ends", async () => {
  const id = await submitted();
  const head = await ask(`${api.url}/v1/scan/${id}/events`, { key: owner.key, method: "HEAD" });
  expect([head.status, head.text, head.headers.get("content-type")]).toEqual([
    200,
    "",
    "text/event-stream; charset=utf-8",
  ]);
});

test("beyond the bound on waiters a stream is refused with 503, and a POST gets its response immediately", async () => {
  const full = await startTestApi({
    databaseUrl: database.url,
    settings: { maxWaiters: { total: 0, perAccount: 1 } },
  });
  const id = await submitted();
  const stream = await ask(`${full.url}/v1/scan/${id}/events`, { key: owner.key });
  expectError(stream, 503, "unavailable");
  expect(stream.headers.get("retry-after")).toMatch(/^\d+$/);
  const body = { url: "https://example.com" };
  const post = await ask(`${full.url}/v1/scan`, { key: owner.key, headers: { Prefer: "wait=60" }, body });
  expect([post.status, post.json.status]).toEqual([200, "processing"]);
  expect(post.headers.has("preference-applied")).toBe(false);
  await full.close();
});

test("beyond its share an account's stream is refused with 429, its POST gets its response immediately, and others wait", async () => {
  const shared = await startTestApi({
    databaseUrl: database.url,
    settings: { maxWaiters: { total: 10, perAccount: 2 } },
  });
  const [greedy, neighbour] = [await newAccount(shared.store), await newAccount(shared.store)];
  const body = { url: "https://93.184.215.14/" };
  const post = ({ key }: TestAccount, wait: number) =>
    ask(`${shared.url}/v1/scan`, { key, headers: { Prefer: `wait=${wait}` }, body });
  const { json } = await post(greedy, 0);
  const streams = await Promise.all([1, 2].map(() => open(json.id, { ...greedy, url: shared.url })));

  const refused = await ask(`${shared.url}/v1/scan/${json.id}/events`, { key: greedy.key });
  expectError(refused, 429, "rate_limit_exceeded");
  expect(refused.headers.get("retry-after")).toBe("5");
  const responded = await post(greedy, 60);
  expect([responded.status, responded.json.status]).toEqual([200, "processing"]);
  expect(responded.headers.has("preference-applied")).toBe(false);

  const held = post(neighbour, 60);
  await until(async () => (await ask(`${shared.url}/metrics`)).text.includes("glovebox_waiters 3\n"));
  // Its watch begins before its row is there.
  const scansOf = async () => (await ask(`${shared.url}/v1/scans`, { key: neighbour.key })).json.scans;
  await until(async () => (await scansOf()).length === 1);
  await record((await scansOf())[0].id);
  expect((await held).json.status).toBe("completed");
  await record(json.id);
  for (const one of streams) expect((await one.rest()).at(-1)?.event).toBe("completed");
  await shared.close();
});

describe("a client that waits for a scan", () => {
  /** Somebody with a key, and a scan that runs. */
  async function waiting() {
    const own = await newAccount(api.store);
    const { json } = await ask(`${api.url}/v1/scan`, {
      key: own.key,
      headers: { Prefer: "respond-async" },
      body: { url: "https://example.com" },
    });
    return { ...own, id: json.id as string };
  }
  const held = (id: string, key: string, prefer = "wait=100") =>
    ask(`${api.url}/v1/scan/${id}`, { key, headers: { Prefer: prefer } });
  const submit = (key: string) =>
    ask(`${api.url}/v1/scan`, {
      key,
      headers: { Prefer: "wait=100" },
      body: { url: "https://example.com" },
    });
  /** How many clients the service holds, of this and other tests. */
  const holding = async (): Promise<number> =>
    Number(/^glovebox_waiters (\d+)$/m.exec((await ask(`${api.url}/metrics`)).text)![1]);

  test("a client that waits for a scan with a stream is let go when its key is revoked", async () => {
    const { id, key, keyId } = await waiting();
    const stream = await open(id, { key });
    await worker.store.keys.revoke(keyId);
    expect(await stream.rest()).toEqual([]);
  });

  test("a client that waits for a scan with a stream is let go when its account is suspended", async () => {
    const { id, key, account } = await waiting();
    const stream = await open(id, { key });
    await worker.store.accounts.setSuspended(account.id, true);
    expect(await stream.rest()).toEqual([]);
  });

  test("a client that waits for a scan with a held request gets 401 when its key is revoked", async () => {
    const before = await holding();
    const { id, key, keyId } = await waiting();
    const requests = [held(id, key), submit(key)];
    await until(async () => (await holding()) === before + requests.length);
    await worker.store.keys.revoke(keyId);
    for (const response of await Promise.all(requests)) expectError(response, 401, "unauthorized");
  });

  test("a client that waits for a scan with a held request gets 403 when its account is suspended", async () => {
    const before = await holding();
    const { id, key, account } = await waiting();
    const request = held(id, key);
    await until(async () => (await holding()) === before + 1);
    await worker.store.accounts.setSuspended(account.id, true);
    expectError(await request, 403, "forbidden");
  });

  test("a client that waits for a scan with another key of the account goes on waiting", async () => {
    const { id, key, account } = await waiting();
    const other = newApiKey();
    const { keyId } = await api.store.keys.add({
      accountId: account.id,
      name: "other",
      sha256: hashApiKey(other),
    });
    const stream = await open(id, { key });
    const ended = await open(id, { key: other });
    await worker.store.keys.revoke(keyId);
    expect(await ended.rest()).toEqual([]);
    await record(id);
    expect((await stream.rest()).map(({ event }) => event)).toEqual(["completed"]);
  });
});
