import { plainSql } from "@glovebox/store/testing";
import { delivered } from "@glovebox/scan-run";
import { newScanId, scanSchema } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
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
const end = (id: string, outcome = sampleOutcome()) => two.store.work.record(id, delivered(outcome));
const waiters = (api: TestApi, count: number) =>
  until(async () => (await ask(`${api.url}/metrics`)).text.includes(`glovebox_waiters ${count}\n`));

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

  test("returns an ended scan immediately, regardless of Prefer", async () => {
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
  ])("returns 404 for %s", async (id) => {
    const { status, json } = await read(id);
    expect([status, json.error.code]).toEqual([404, "not_found"]);
  });

  test("returns 404 for another account's scan", async () => {
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

  test("GET /v1/scan/{id} by HEAD has the headers of GET and no body", async () => {
    const id = await submitted();
    await end(id);
    const headers = { "accept-encoding": "identity" };
    const get = await ask(`${one.url}/v1/scan/${id}`, { key: owner.key, headers });
    const head = await ask(`${one.url}/v1/scan/${id}`, { key: owner.key, headers, method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
  });

  test.each([
    ["small", 1],
    ["large", 20_000],
  ])("passes a %s report through in gzip, with the same JSON as without", async (_size, repeats) => {
    const id = await submitted();
    const outcome = sampleOutcome();
    if (outcome.status === "completed") outcome.report.notes = ["A note, ünïcødé. ".repeat(repeats)];
    await one.store.work.record(id, delivered(outcome));
    const [parse, parsed] = [JSON.parse.bind(JSON), [] as string[]];
    vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => (parsed.push(text), parse(text, reviver)));
    const request = (coding: string) =>
      fetch(`${one.url}/v1/scan/${id}`, {
        headers: { Authorization: `Bearer ${owner.key}`, "accept-encoding": coding },
      });
    const [packed, plain] = [await request("gzip"), await request("identity")];
    expect([packed, plain].map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null]);
    for (const { headers } of [packed, plain]) expect(headers.get("vary")).toBe("Accept-Encoding");
    const text = await plain.text();
    expect(plain.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(await packed.text()).toBe(text);
    expect(parsed.filter((each) => each.includes("ünïcødé"))).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({
      id,
      status: "completed",
      notes: [expect.stringMatching(/^A note/)],
    });
    vi.restoreAllMocks();
  });

  test("packs the report of a row of release 0.3, and reads it the same", async () => {
    const id = await submitted();
    await end(id);
    const { text } = await read(id);
    const sql = plainSql(database.url);
    await sql`update reports set packed = null where scan_id = ${id}`;
    await sql.end();
    expect((await read(id)).text).toBe(text);
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

  test("deletes an ended scan, once", async () => {
    const id = await submitted();
    await end(id);
    const remove = () => ask(`${one.url}/v1/scan/${id}`, { key: owner.key, method: "DELETE" });
    expect([(await remove()).status, (await read(id)).status, (await remove()).status]).toEqual([
      204, 404, 404,
    ]);
  });
});

async function claimed(id: string): Promise<void> {
  for (;;) if ((await two.store.work.claim("worker", 60))?.id === id) return;
}
