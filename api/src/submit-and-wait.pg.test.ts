import { overriding } from "@glovebox/store/testing";
import { delivered } from "@glovebox/scan-run";
import { scanFailure, scanSchema } from "@glovebox/contract";
import type { Store } from "@glovebox/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "./testing/harness.ts";
import { ask } from "./testing/requests.ts";
import { sampleOutcome } from "./testing/sample-report.ts";
import { until } from "./testing/until.ts";

let database: TestDatabase;
let one: TestApi;
let two: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  database = await testDatabase();
  one = await startTestApi({ databaseUrl: database.url });
  two = await startTestApi({ databaseUrl: database.url });
  owner = await newAccount(one.store);
});
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  await database.drop();
});

const target = { url: "https://api.example.com/v2?x=1" };
const submit = (headers: Record<string, string> = {}, body: unknown = target) =>
  ask(`${one.url}/v1/scan`, { key: owner.key, headers, body });
const read = (id: string, headers: Record<string, string> = {}, at = one) =>
  ask(`${at.url}/v1/scan/${id}`, { key: owner.key, headers });
const end = (id: string, outcome = sampleOutcome()) => two.store.work.record(id, delivered(outcome));
const waiters = (api: TestApi, count: number) =>
  until(async () => (await ask(`${api.url}/metrics`)).text.includes(`glovebox_waiters ${count}\n`));
const newest = async (api: TestApi, before: number) => {
  await until(() => api.launched.length > before);
  return api.launched.at(-1)!;
};

describe("POST /v1/scan", () => {
  test("POST /v1/scan with respond-async returns a processing scan, where to look and when", async () => {
    const { status, headers, json } = await submit({ Prefer: "respond-async" });
    expect(status).toBe(200);
    expect(scanSchema.parse(json)).toMatchObject({ status: "processing", url: target.url });
    expect(headers.get("location")).toBe(`/v1/scan/${json.id}`);
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    expect(headers.get("preference-applied")).toBe("respond-async");
    expect(one.launched).toContain(json.id);
  });

  test("POST /v1/scan is held until the scan ends in another process, and returns the completed scan", async () => {
    const before = one.launched.length;
    const held = submit();
    const id = await newest(one, before);
    await waiters(one, 1);
    await end(id);
    const { status, json, headers } = await held;
    expect(status).toBe(200);
    expect(scanSchema.parse(json)).toMatchObject({
      id,
      status: "completed",
      findings: [{ category: "encryption" }],
    });
    expect(headers.has("location")).toBe(false);
    await waiters(one, 0);
  });

  test("reads the scan once, when it has ended: not the row that it wrote itself", async () => {
    let reads = 0;
    const wrap = (store: Store): Store => ({
      ...store,
      scans: overriding(store.scans, { get: (...of) => (reads++, store.scans.get(...of)) }),
    });
    const counting = await startTestApi({ databaseUrl: database.url, wrap });
    const held = ask(`${counting.url}/v1/scan`, { key: owner.key, body: target });
    const id = await newest(counting, 0);
    expect(reads).toBe(0);
    await end(id);
    expect((await held).json.status).toBe("completed");
    expect(reads).toBe(1);
    await counting.close();
  });

  test("POST /v1/scan of a scan that ends before its POST is held returns it", async () => {
    const early = await startTestApi({
      databaseUrl: database.url,
      launcher: { launch: async ({ id }) => void (await end(id)), cancel: async () => undefined },
    });
    const { json } = await ask(`${early.url}/v1/scan`, { key: owner.key, body: target });
    expect(json.status).toBe("completed");
    await early.close();
  });

  test("returns 500 scan_failed with the scan's own message and Location when the scan fails while it is held", async () => {
    const before = one.launched.length;
    const held = submit({ Prefer: "wait=60" });
    const id = await newest(one, before);
    await end(id, { status: "failed", failure: scanFailure("connection_refused", "Port 443.") });
    const { status, json, headers } = await held;
    expect([status, json.error]).toEqual([
      500,
      { code: "scan_failed", message: "The target refused the connection. Port 443." },
    ]);
    expect(headers.get("location")).toBe(`/v1/scan/${id}`);
    expect(headers.get("preference-applied")).toBe("wait=60");
    const later = await read(id);
    expect([later.status, scanSchema.parse(later.json).status]).toEqual([200, "failed"]);
  });

  test("returns processing when its time is over", async () => {
    const { status, json, headers } = await submit({ Prefer: "wait=1" });
    expect([status, json.status, headers.get("preference-applied")]).toEqual([200, "processing", "wait=1"]);
  });

  test("goes on with the scan when the client hangs up", async () => {
    const before = one.launched.length;
    const hangUp = new AbortController();
    const held = fetch(`${one.url}/v1/scan`, {
      method: "POST",
      signal: hangUp.signal,
      headers: { Authorization: `Bearer ${owner.key}`, "Content-Type": "application/json" },
      body: JSON.stringify(target),
    });
    const id = await newest(one, before);
    await waiters(one, 1);
    hangUp.abort();
    await expect(held).rejects.toThrow(/abort/);
    await waiters(one, 0);
    expect((await read(id)).json.status).toBe("processing");
    expect(one.log.some((line) => line.includes('"status":499'))).toBe(true);
  });

  test("POST /v1/scan with a used Idempotency-Key returns the first scan and starts none", async () => {
    const headers = { Prefer: "respond-async", "Idempotency-Key": "build-1" };
    const first = await submit(headers);
    const launched = one.launched.length;
    const again = await submit(headers, '{ "url" :\n"https://api.example.com/v2?x=1" }');
    expect([again.status, again.json.id]).toEqual([200, first.json.id]);
    expect(one.launched.length).toBe(launched);
    const held = submit({ "Idempotency-Key": "build-1" });
    await waiters(one, 1);
    await end(first.json.id);
    expect((await held).json).toMatchObject({ id: first.json.id, status: "completed" });
  });

  test("POST /v1/scan with a used Idempotency-Key and another body is refused", async () => {
    await submit({ Prefer: "respond-async", "Idempotency-Key": "build-2" });
    const other = await submit({ "Idempotency-Key": "build-2" }, { ...target, context: "public" });
    expect([other.status, other.json.error.code]).toEqual([409, "idempotency_conflict"]);
  });
});
