import { overriding } from "@glovebox/store/testing";
import { delivered } from "@glovebox/scan-run";
import type { Store } from "@glovebox/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CuttableProxy } from "./testing/cuttable-proxy.ts";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { StreamReader } from "./testing/event-stream.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "./testing/harness.ts";
import { ask } from "./testing/requests.ts";
import { sampleOutcome } from "./testing/sample-report.ts";
import { expectError } from "./testing/standard-headers.ts";
import { until } from "./testing/until.ts";

let database: TestDatabase;
let steady: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  database = await testDatabase();
  steady = await startTestApi({ databaseUrl: database.url });
  owner = await newAccount(steady.store);
});
afterAll(async () => {
  await steady.close();
  await database.drop();
});

const body = { url: "https://example.com" };
const submitted = async (): Promise<string> =>
  (await ask(`${steady.url}/v1/scan`, { key: owner.key, headers: { Prefer: "respond-async" }, body })).json
    .id;
const record = (id: string) => steady.store.work.record(id, delivered(sampleOutcome()));
const waiters = (api: TestApi, count: number) =>
  until(async () => (await ask(`${api.url}/metrics`)).text.includes(`glovebox_waiters ${count}\n`));

describe("while the database is away", () => {
  test("requests and readyz get 503 with Retry-After, and healthz does not; then all is well again", async () => {
    const proxy = await CuttableProxy.before(database.url);
    const api = await startTestApi({ databaseUrl: proxy.url });
    const id = await submitted();
    const read = () => ask(`${api.url}/v1/scan/${id}`, { key: owner.key });
    expect((await read()).status).toBe(200);

    proxy.cut();
    for (const response of [
      await read(),
      await ask(`${api.url}/v1/scans`, { key: owner.key }),
      await ask(`${api.url}/v1/scan`, { key: owner.key, body }),
      await ask(`${api.url}/readyz`),
    ]) {
      expectError(response, 503, "unavailable");
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    }
    expect((await ask(`${api.url}/healthz`)).status).toBe(200);

    proxy.mend();
    await until(async () => (await read()).status === 200);
    await api.close();
    await proxy.close();
  });

  test("while the database is away, who waits is not sent away, and hears of an end that came meanwhile", async () => {
    const proxy = await CuttableProxy.before(database.url);
    const api = await startTestApi({ databaseUrl: proxy.url });
    const id = await submitted();
    const poll = ask(`${api.url}/v1/scan/${id}`, { key: owner.key, headers: { Prefer: "wait=60" } });
    const stream = new StreamReader(
      await fetch(`${api.url}/v1/scan/${id}/events`, { headers: { Authorization: `Bearer ${owner.key}` } }),
    );
    await waiters(api, 2);
    proxy.cut();
    await record(id);
    proxy.mend();
    expect((await poll).json.status).toBe("completed");
    expect((await stream.rest()).at(-1)?.event).toBe("completed");
    await api.close();
    await proxy.close();
  });
});

test("a fault returns 500 with the request id and nothing else, and is logged without its message", async () => {
  const wrap = (store: Store): Store => ({
    ...store,
    scans: overriding(store.scans, {
      list: () => Promise.reject(new TypeError("secret gbx_123 select * from scans")),
    }),
  });
  const api = await startTestApi({ databaseUrl: database.url, wrap });
  const response = await ask(`${api.url}/v1/scans`, { key: owner.key });
  expectError(response, 500, "internal");
  const requestId = response.headers.get("x-request-id")!;
  expect(response.json.error.message).toContain(requestId);
  const line = JSON.parse(api.log.find((text) => text.includes("unexpected failure"))!);
  expect(line).toMatchObject({ requestId, route: "/v1/scans", error: "TypeError" });
  expect(api.log.join("")).not.toContain("secret");
  await api.close();
});

test("a launcher that fails does not lose the scan", async () => {
  const fail = () => Promise.reject(new Error("no"));
  const api = await startTestApi({ databaseUrl: database.url, launcher: { launch: fail, cancel: fail } });
  const { json, status } = await ask(`${api.url}/v1/scan`, {
    key: owner.key,
    headers: { Prefer: "wait=0" },
    body,
  });
  expect([status, json.status]).toEqual([200, "processing"]);
  const removed = await ask(`${api.url}/v1/scan/${json.id}`, { key: owner.key, method: "DELETE" });
  expect(removed.status).toBe(204);
  await api.close();
});

describe("a shutdown", () => {
  test("responds to held requests with what is known, ends streams, and refuses new connections", async () => {
    const api = await startTestApi({ databaseUrl: database.url });
    const id = await submitted();
    const poll = ask(`${api.url}/v1/scan/${id}`, { key: owner.key, headers: { Prefer: "wait=60" } });
    const post = ask(`${api.url}/v1/scan`, { key: owner.key, headers: { Prefer: "wait=60" }, body });
    const stream = new StreamReader(
      await fetch(`${api.url}/v1/scan/${id}/events`, { headers: { Authorization: `Bearer ${owner.key}` } }),
    );
    await waiters(api, 3);
    const closed = api.close();
    for (const { status, json, headers } of [await poll, await post]) {
      expect([status, json.status]).toEqual([200, "processing"]);
      expect(headers.get("connection")).toBe("close");
      expect(headers.has("preference-applied")).toBe(false);
    }
    expect(await stream.rest()).toEqual([]);
    // An open connection of an ended stream would hold the shutdown up until it is cut off.
    expect(stream.response.headers.get("connection")).toBe("close");
    await closed;
    await expect(ask(`${api.url}/healthz`)).rejects.toThrow("fetch failed");
  });

  test("cuts off a request that does not end in time", async () => {
    let reached = (): void => undefined;
    const stuck = new Promise<void>((resolve) => (reached = resolve));
    const wrap = (store: Store): Store => ({
      ...store,
      scans: overriding(store.scans, {
        list: () => {
          reached();
          return new Promise(() => undefined);
        },
      }),
    });
    const api = await startTestApi({ databaseUrl: database.url, wrap, settings: { shutdownMs: 50 } });
    const asked = ask(`${api.url}/v1/scans`, { key: owner.key }).catch((error: Error) => error.message);
    await stuck;
    await api.close();
    expect(await asked).toBe("fetch failed");
  });
});
