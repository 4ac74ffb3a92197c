import { scanFailure, scanSchema, newScanId } from "@glovebox/contract";
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
const submitted = async (): Promise<string> => (await submit({ Prefer: "respond-async" })).json.id;
const read = (id: string, headers: Record<string, string> = {}, at = one) =>
  ask(`${at.url}/v1/scan/${id}`, { key: owner.key, headers });
const end = (id: string, outcome = sampleOutcome()) => two.store.work.record(id, outcome, new Date());
const waiters = (api: TestApi, count: number) =>
  until(async () => (await ask(`${api.url}/metrics`)).text.includes(`glovebox_waiters ${count}\n`));
const newest = async (api: TestApi, before: number) => {
  await until(() => api.launched.length > before);
  return api.launched.at(-1)!;
};

describe("POST /v1/scan", () => {
  test("with respond-async answers a processing scan, where to look and when", async () => {
    const { status, headers, json } = await submit({ Prefer: "respond-async" });
    expect(status).toBe(200);
    expect(scanSchema.parse(json)).toMatchObject({ status: "processing", url: target.url });
    expect(headers.get("location")).toBe(`/v1/scan/${json.id}`);
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    expect(headers.get("preference-applied")).toBe("respond-async");
    expect(one.launched).toContain(json.id);
  });

  test("is held until the scan ends in another process, and answers the completed scan", async () => {
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

  test("answers 500 scan_failed with the scan's own message and Location when the scan fails while it is held", async () => {
    const before = one.launched.length;
    const held = submit();
    const id = await newest(one, before);
    await end(id, { status: "failed", failure: scanFailure("connection_refused", "Port 443.") });
    const { status, json, headers } = await held;
    expect([status, json.error]).toEqual([
      500,
      { code: "scan_failed", message: "The target refused the connection. Port 443." },
    ]);
    expect(headers.get("location")).toBe(`/v1/scan/${id}`);
    const later = await read(id);
    expect([later.status, scanSchema.parse(later.json).status]).toEqual([200, "failed"]);
  });

  test("answers processing when its time is over", async () => {
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

  test("with a used Idempotency-Key returns the first scan and starts none", async () => {
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

  test("with a used Idempotency-Key and another body is refused", async () => {
    await submit({ Prefer: "respond-async", "Idempotency-Key": "build-2" });
    const other = await submit({ "Idempotency-Key": "build-2" }, { ...target, context: "public" });
    expect([other.status, other.json.error.code]).toEqual([409, "idempotency_conflict"]);
  });
});

describe("GET /v1/scan/{id}", () => {
  test("long-polls until the scan ends, woken in another API than the one that was told", async () => {
    const id = await submitted();
    const polls = [one, one, two].map((api) => read(id, { Prefer: "wait=60" }, api));
    await waiters(one, 2);
    await waiters(two, 1);
    await end(id);
    for (const { json, headers } of await Promise.all(polls)) {
      expect(json).toMatchObject({ id, status: "completed" });
      expect(headers.get("preference-applied")).toBe("wait=60");
    }
  });

  test("answers an ended scan at once, whatever Prefer says", async () => {
    const id = await submitted();
    await end(id);
    const { json } = await read(id, { Prefer: "wait=120" });
    expect(scanSchema.parse(json).status).toBe("completed");
  });

  test("shows progress", async () => {
    const id = await submitted();
    await claimed(id);
    await two.store.work.progress(
      id,
      { frame: "progress", category: "ssrf", done: 1, planned: 4 },
      { done: 7, planned: 90 },
    );
    await until(async () => (await read(id)).json.progress.done === 7);
    expect((await read(id)).json.progress).toEqual({ done: 7, planned: 90 });
  });

  test.each([
    "scan-1",
    "scan-%00",
    "%ZZ",
    "..%2f..%2fetc",
    "SCAN-01KAHR5ZN8V3MWF2C7D9E4X6BQ",
    newScanId(new Date()),
  ])("answers 404 to %s", async (id) => {
    const { status, json } = await read(id);
    expect([status, json.error.code]).toEqual([404, "not_found"]);
  });

  test("answers 404 to another account's scan", async () => {
    const id = await submitted();
    const stranger = await newAccount(one.store);
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/events"],
    ]) {
      const { status, json } = await ask(`${one.url}/v1/scan/${id}${path}`, {
        key: stranger.key,
        method: method!,
      });
      expect([status, json.error.code]).toEqual([404, "not_found"]);
    }
  });

  test("by HEAD has the headers of GET and no body", async () => {
    const id = await submitted();
    await end(id);
    const get = await read(id);
    const head = await ask(`${one.url}/v1/scan/${id}`, { key: owner.key, method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
  });
});

describe("DELETE /v1/scan/{id}", () => {
  test("cancels a processing scan and wakes who waits for it", async () => {
    const id = await submitted();
    const poll = read(id, { Prefer: "wait=60" }, two);
    await waiters(two, 1);
    const { status, text } = await ask(`${one.url}/v1/scan/${id}`, { key: owner.key, method: "DELETE" });
    expect([status, text]).toEqual([204, ""]);
    expect((await poll).json).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    expect(one.cancelled).toContain(id);
  });

  test("erases an ended scan, once", async () => {
    const id = await submitted();
    await end(id);
    const erase = () => ask(`${one.url}/v1/scan/${id}`, { key: owner.key, method: "DELETE" });
    expect([(await erase()).status, (await read(id)).status, (await erase()).status]).toEqual([
      204, 404, 404,
    ]);
  });
});

async function claimed(id: string): Promise<void> {
  for (;;) if ((await two.store.work.claim("worker", new Date(), 60))?.id === id) return;
}
