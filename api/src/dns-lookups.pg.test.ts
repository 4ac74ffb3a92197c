import { hashApiKey, newApiKey } from "@glovebox/store";
import { systemLookup } from "@glovebox/egress";
import { startNameServer, type NameServer } from "@glovebox/egress/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "./testing/harness.ts";
import { ask, type TestResponse } from "./testing/requests.ts";
import { expectError } from "./testing/standard-headers.ts";

let database: TestDatabase;
let names: NameServer;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  names = await startNameServer({
    "quick.example.com": { a: "93.184.215.14" },
    "inside.example.com": { a: "10.1.2.3" },
  });
  api = await startTestApi({
    databaseUrl: database.url,
    lookup: systemLookup({ timeoutMs: 10_000, servers: [names.address] }),
    settings: { maxLookups: { perAccount: 10, total: 100 } },
  });
});
afterEach(async () => {
  await api.close();
  names.close();
});
afterAll(() => database.drop());

const post = (
  { key }: TestAccount,
  url: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  ask(`${api.url}/v1/scan`, { key, headers: { Prefer: "respond-async", ...headers }, body: { url } });
const started = async ({ key }: TestAccount): Promise<number> =>
  (await ask(`${api.url}/v1/scans`, { key })).json.total;
const freeAccount = () => newAccount(api.store, { plan: "free", requestsPerMinute: 1_000 });
const slowNames = (count: number) =>
  Array.from({ length: count }, (_, name) => `https://slow-${name}.example.com/`);

describe("names without a response", () => {
  test("hold none of a neighbour's up, and beyond ten at a time are refused, uncharged", async () => {
    const [attacker, neighbour] = [await freeAccount(), await newAccount(api.store)];
    const slow = Promise.all(slowNames(10).map((url) => post(attacker, url)));
    await expect.poll(() => new Set(names.asked).size).toBe(20);

    const isSlow = slow.then(() => "slow");
    const refused = await Promise.race([post(attacker, "https://one-more.example.com/"), isSlow]);
    expectError(refused as TestResponse, 429, "rate_limit_exceeded");
    expect((refused as TestResponse).headers.get("retry-after")).toBe("2");
    const quick = await Promise.race([post(neighbour, "https://quick.example.com/"), isSlow]);
    expect(quick).toMatchObject({ status: 200, json: { status: "processing" } });

    // Ten that were let through to fail as scans: the quota of a Free account takes three of them.
    const statuses = (await slow).map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, ...Array(7).fill(429)]);
    expect(await started(attacker)).toBe(3);
    expect(await started(neighbour)).toBe(1);
  });

  test("names without a response are not looked up for an account whose quota is used up", async () => {
    const account = await freeAccount();
    for (let scan = 0; scan < 3; scan++)
      expect((await post(account, "https://93.184.215.14/")).status).toBe(200);
    for (const response of await Promise.all(slowNames(20).map((url) => post(account, url)))) {
      expectError(response, 429, "rate_limit_exceeded");
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(2);
    }
    expect(names.asked).toEqual([]);
  });
});

test("a host that is refused gets 400 and costs nothing, by its address or by its name", async () => {
  const account = await freeAccount();
  for (const url of ["https://10.1.2.3/", "https://inside.example.com/", "https://localhost/"])
    for (let again = 0; again < 4; again++) expectError(await post(account, url), 400, "invalid_url");
  for (let scan = 0; scan < 3; scan++)
    expect((await post(account, "https://quick.example.com/")).status).toBe(200);
  expectError(await post(account, "https://localhost/"), 400, "invalid_url");
  expectError(await post(account, "https://quick.example.com/"), 429, "rate_limit_exceeded");
});

test("100 simultaneous requests of a Free account, over names, start 3 scans", async () => {
  const account = await freeAccount();
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => post(account, "https://quick.example.com/")),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(97);
  expect(await started(account)).toBe(3);
});

test("a repeated request looks nothing up, also when the quota is used up since", async () => {
  const account = await freeAccount();
  const repeated = { "Idempotency-Key": "k" };
  const first = await post(account, "https://quick.example.com/", repeated);
  for (let scan = 0; scan < 2; scan++) await post(account, "https://93.184.215.14/");
  const asked = names.asked.length;
  const again = await post(account, "https://quick.example.com/", repeated);
  expect([again.status, again.json.id]).toEqual([200, first.json.id]);
  expectError(await post(account, "https://other.example.com/", repeated), 409, "idempotency_conflict");
  expect(names.asked.length).toBe(asked);

  const second = newApiKey();
  await api.store.keys.add({ accountId: account.account.id, name: "second", sha256: hashApiKey(second) });
  expectError(
    await post({ ...account, key: second }, "https://quick.example.com/"),
    429,
    "rate_limit_exceeded",
  );
});
