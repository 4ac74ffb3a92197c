import { MAX_SCHEDULES, scheduleSchema } from "@glovebox/contract/schedules";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestApi } from "./testing/harness.ts";
import { ask, type TestResponse, type Ask } from "./testing/requests.ts";

const NOON = new Date("2026-11-21T12:00:00Z");
let database: TestDatabase;
let api: TestApi;
let key: string;
let now = NOON;
beforeAll(async () => {
  database = await testDatabase();
  const lookup = async (host: string) => [host === "inner.example" ? "10.0.0.1" : "93.184.215.14"];
  api = await startTestApi({ databaseUrl: database.url, lookup, now: () => now });
  ({ key } = await newAccount(api.store));
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const NIGHTLY = { name: "Nightly", url: "https://api.example/v1", schedule: "30 2 * * *" };
const call = (path: string, request: Ask = {}): Promise<TestResponse> =>
  ask(`${api.url}/v1/schedules${path}`, { key, ...request });
const created = async (over: object = {}): Promise<string> =>
  (await call("", { body: { ...NIGHTLY, ...over } })).json.id;
const error = (code: string, message?: string) => ({
  error: { code, message: message ?? (expect.any(String) as string) },
});

test("a schedule is created with its defaults, its time zone decides the next run, and it is read and listed", async () => {
  const body = { ...NIGHTLY, timeZone: "Asia/Tokyo", context: "internal" };
  const response = await call("", { body });
  expect(response.status).toBe(200);
  expect(scheduleSchema.strict().parse(response.json)).toMatchObject({
    ...{
      ...body,
      specUrl: null,
      concurrencyPolicy: "Forbid",
      jitterSeconds: 0,
      suspend: false,
      historyLimit: 10,
      ...{ include: null, exclude: null, identitySet: null, problem: null },
    },
    ...{ nextRunAt: "2026-11-21T17:30:00.000Z", createdAt: NOON.toISOString(), missedRuns: 0, lastRun: null },
  });
  expect((await call(`/${response.json.id}`)).json).toEqual(response.json);
  expect((await call("")).json.schedules).toContainEqual(response.json);
  expect((await call(`/${response.json.id}/runs`)).json).toEqual({ runs: [] });
});

test("a change leaves the rest as it is, null removes, and a suspended schedule has no next run", async () => {
  const id = await created({
    specUrl: "https://api.example/openapi.json",
    context: "public",
    jitterSeconds: 60,
  });
  const changed = await call(`/${id}`, { method: "PATCH", body: { specUrl: null, suspend: true } });
  expect(changed.json).toMatchObject({
    ...{ specUrl: null, context: "public", jitterSeconds: 60, suspend: true, nextRunAt: null },
  });
  const resumed = await call(`/${id}`, { method: "PATCH", body: { suspend: false, jitterSeconds: 0 } });
  expect(resumed.json.nextRunAt).toBe("2026-11-22T02:30:00.000Z");
});

test("only another time, or an end of the suspension, forgets runs that are due", async () => {
  const id = await created();
  now = new Date("2026-11-22T02:40:00Z");
  const renamed = await call(`/${id}`, { method: "PATCH", body: { name: "At night" } });
  const moved = await call(`/${id}`, { method: "PATCH", body: { schedule: "20 2 * * *" } });
  now = NOON;
  expect(renamed.json).toMatchObject({ name: "At night", nextRunAt: "2026-11-22T02:30:00.000Z" });
  expect(moved.json.nextRunAt).toBe("2026-11-23T02:20:00.000Z");
});

test("a deleted schedule is not found", async () => {
  const id = await created();
  expect((await call(`/${id}`, { method: "DELETE" })).status).toBe(204);
  for (const path of ["", "/runs"]) expect((await call(`/${id}${path}`)).status).toBe(404);
  expect((await call(`/${id}`, { method: "DELETE" })).status).toBe(404);
});

describe("a schedule with a saved set", () => {
  const file = { identities: [{ name: "alice", role: "user" as const, headers: { "X-Key": "s3cret" } }] };
  const accountWithSet = async () => {
    const owner = await newAccount(api.store, { plan: "pro" });
    const set = { name: "staging", origin: "https://api.example" };
    const { id } = (await api.store.identitySets.save(owner.account.id, set, file))!;
    const callAs = (path: string, request: Ask = {}) => call(path, { ...request, key: owner.key });
    return { owner, set, setId: id, callAs };
  };
  const terms = { include: ["/orders/**"], exclude: ["DELETE"], identitySet: "staging" };

  test("a schedule with a saved set shows its name and filters and none of its values, and null removes them", async () => {
    const { callAs } = await accountWithSet();
    const { text, json } = await callAs("", { body: { ...NIGHTLY, ...terms } });
    expect(json).toMatchObject({ ...terms, problem: null });
    expect(text).not.toMatch(/s3cret|alice/);
    const removed = { include: null, exclude: null, identitySet: null };
    expect((await callAs(`/${json.id}`, { method: "PATCH", body: removed })).json).toMatchObject(removed);
  });

  test.each([
    ["another target", { url: "https://other.example/" }],
    ["no set", { identitySet: "none" }],
  ])("a schedule with a saved set of %s is refused, also as a change", async (_, over) => {
    const { callAs } = await accountWithSet();
    const refused = {
      status: 400,
      json: error("invalid_request", "identitySet: is not a saved set of this target"),
    };
    expect(await callAs("", { body: { ...NIGHTLY, ...terms, ...over } })).toMatchObject(refused);
    const { json } = await callAs("", { body: { ...NIGHTLY, ...terms } });
    expect(await callAs(`/${json.id}`, { method: "PATCH", body: over })).toMatchObject(refused);
  });

  test("a schedule says that its saved set was deleted, until one is saved again", async () => {
    const { owner, set, setId, callAs } = await accountWithSet();
    const { json } = await callAs("", { body: { ...NIGHTLY, ...terms } });
    const problem = async (): Promise<string | null> => (await callAs(`/${json.id}`)).json.problem;
    await api.store.identitySets.delete(owner.account.id, setId);
    expect(await problem()).toBe("identitySet: is not a saved set of this target");
    expect((await callAs("")).json.schedules[0].problem).toBe(await problem());
    await api.store.identitySets.save(owner.account.id, set, file);
    expect(await problem()).toBeNull();
  });

  test("a schedule with a saved set is refused where the installation has no key, and one of before says so", async () => {
    const { owner, callAs } = await accountWithSet();
    const { json } = await callAs("", { body: { ...NIGHTLY, ...terms } });
    const without = await startTestApi({ databaseUrl: database.url, identityKeys: null, now: () => now });
    const at = (path: string, body?: object) =>
      ask(`${without.url}/v1/schedules${path}`, { key: owner.key, ...(body && { body }) });
    expect((await at(`/${json.id}`)).json.problem).toContain("GLOVEBOX_IDENTITY_KEY_FILE");
    expect(await at("", { ...NIGHTLY, ...terms })).toMatchObject({ status: 403, json: error("forbidden") });
    await without.close();
  });
});

describe("what is refused", () => {
  test.each([
    [{ url: "http://api.example/" }, "invalid_url", /^url: /],
    [{ url: "https://169.254.169.254/" }, "invalid_url", /^url: /],
    [{ specUrl: "https://inner.example/openapi.json" }, "invalid_url", /^specUrl: /],
    [{ context: "secret" }, "invalid_context", /^context: /],
    [{ schedule: "30 2 * *" }, "invalid_request", /^schedule: must have five fields/],
    [{ schedule: "99 2 * * *" }, "invalid_request", /^schedule: is not a cron expression/],
    [{ schedule: "*/5 * * * *" }, "invalid_request", /^schedule: runs more often than every 15 minutes$/],
    [{ timeZone: "Mars/Olympus" }, "invalid_request", /^timeZone: /],
    [{ name: " " }, "invalid_request", /^name: /],
    [{ historyLimit: 0 }, "invalid_request", /^historyLimit: /],
    [{ jitterSeconds: 3601 }, "invalid_request", /^jitterSeconds: /],
    [{ concurrencyPolicy: "Queue" }, "invalid_request", /^concurrencyPolicy: /],
    [{ credentials: [{ bearer: "t" }] }, "invalid_request", /^credentials: is not a known field$/],
    [{ identities: [] }, "invalid_request", /^identities: is not a known field$/],
    [{ mode: "active" }, "invalid_request", /^mode: is not a known field$/],
  ])("%j gets %s, and so does a change to it", async (over, code, message) => {
    const [field] = Object.keys(over);
    const refused = { status: 400, json: error(code, expect.stringMatching(message) as string) };
    expect((await call("", { body: { ...NIGHTLY, ...over } })).json.error.field).toBe(field);
    expect(await call("", { body: { ...NIGHTLY, ...over } })).toMatchObject(refused);
    const id = await created();
    const before = (await call(`/${id}`)).json;
    expect(await call(`/${id}`, { method: "PATCH", body: over })).toMatchObject(refused);
    expect((await call(`/${id}`)).json).toEqual(before);
  });

  test("the schedules of another account do not exist", async () => {
    const id = await created();
    const other = await newAccount(api.store);
    const asks: [string, Ask][] = [
      ["", {}],
      ["", { method: "PATCH", body: { suspend: true } }],
      ["", { method: "DELETE" }],
      ["/runs", {}],
    ];
    for (const [path, request] of asks)
      expect((await call(`/${id}${path}`, { ...request, key: other.key })).status).toBe(404);
    expect((await call(`/${id}`)).json.suspend).toBe(false);
  });

  test("the plan decides whether there are schedules, and how often they run", async () => {
    const starter = await newAccount(api.store, { plan: "starter" });
    expect(await call("", { key: starter.key, body: NIGHTLY })).toMatchObject({
      ...{ status: 403, json: error("forbidden", "The plan does not include schedules.") },
    });
    const pro = await newAccount(api.store, { plan: "pro" });
    expect(
      (await call("", { key: pro.key, body: { ...NIGHTLY, schedule: "*/30 * * * *" } })).json,
    ).toMatchObject(error("invalid_request", "schedule: runs more often than every 60 minutes"));
    expect((await call("", { key: pro.key, body: { ...NIGHTLY, schedule: "0 * * * *" } })).status).toBe(200);
  });

  test("a key needs the scopes of schedules", async () => {
    const reader = await newAccount(api.store, { scopes: ["scans:write", "schedules:read"] });
    expect((await call("", { key: reader.key })).status).toBe(200);
    expect((await call("", { key: reader.key, body: NIGHTLY })).status).toBe(403);
  });

  test(`an account has at most ${MAX_SCHEDULES} schedules`, async () => {
    const full = await newAccount(api.store);
    const create = () => call("", { key: full.key, body: NIGHTLY });
    for (let count = 0; count < MAX_SCHEDULES; count++) await create();
    expect(await create()).toMatchObject({ status: 400, json: error("invalid_request") });
  });
});
