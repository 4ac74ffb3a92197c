import { newApiKey } from "@glovebox/store";
import { describe, expect, test } from "vitest";
import { newAccount, startTestApi, type TestApi, useTestApi } from "./testing/harness.ts";
import { ask } from "./testing/requests.ts";
import { expectError } from "./testing/standard-headers.ts";
import { until } from "./testing/until.ts";

const api = useTestApi();

const list = (key: string, at = api) => ask(`${at.url}/v1/scans`, { key });
const submit = (key: string, at = api) =>
  ask(`${at.url}/v1/scan`, {
    key,
    headers: { Prefer: "respond-async" },
    body: { url: "https://example.com" },
  });

describe("without a valid key", () => {
  const rows: readonly (readonly [string, Record<string, string>])[] = [
    ["no header", {}],
    ["another scheme", { Authorization: "Basic YTpi" }],
    ["no token", { Authorization: "Bearer" }],
    ["two tokens", { Authorization: "Bearer a b" }],
    [
      "a mistyped key",
      { Authorization: `Bearer ${newApiKey().replace(/.$/, (last) => (last === "0" ? "1" : "0"))}` },
    ],
    ["an unknown key", { Authorization: `Bearer ${newApiKey()}` }],
    ["a very long token", { Authorization: `Bearer ${"a".repeat(8000)}` }],
  ];
  test.each(rows)("%s gets 401 with a challenge", async (_name, headers) => {
    const response = await ask(`${api.url}/v1/scans`, { headers });
    expectError(response, 401, "unauthorized");
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="glovebox"/);
  });

  test("a path is not told apart from one that does not exist", async () => {
    for (const path of ["/v1/scans", "/v1/nothing", "/v1/scan"])
      expectError(await ask(api.url + path), 401, "unauthorized");
  });

  test("an expired key is refused", async () => {
    const { key } = await newAccount(api.store, { expiresAt: new Date(Date.now() - 1000) });
    expectError(await list(key), 401, "unauthorized");
  });

  test("an address is limited, and a valid key from it is not", async () => {
    const limited = await startTestApi({
      databaseUrl: api.databaseUrl,
      settings: { addressRequestsPerMinute: 3 },
    });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) statuses.push((await ask(`${limited.url}/v1/scans`)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const refused = await ask(`${limited.url}/v1/docs`);
    expectError(refused, 429, "rate_limit_exceeded");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await list((await newAccount(api.store)).key, limited)).status).toBe(200);
    expect((await ask(`${limited.url}/healthz`)).status).toBe(200);
    await limited.close();
  });

  test.each([1, "192.0.2.64/26,127.0.0.1"])(
    "behind a trusted proxy (%s) the address is the client's, else the proxy's",
    async (trustProxy) => {
      const settings = { addressRequestsPerMinute: 1 };
      const trusting = await startTestApi({
        databaseUrl: api.databaseUrl,
        settings: { ...settings, trustProxy },
      });
      const plain = await startTestApi({ databaseUrl: api.databaseUrl, settings });
      const from = (at: TestApi, address: string) =>
        ask(`${at.url}/v1/scans`, { headers: { "X-Forwarded-For": address } }).then(({ status }) => status);
      expect([await from(trusting, "192.0.2.1"), await from(trusting, "192.0.2.2")]).toEqual([401, 401]);
      expect([await from(trusting, "192.0.2.1"), await from(trusting, "192.0.2.9, 192.0.2.2")]).toEqual([
        429, 429,
      ]);
      expect([await from(plain, "192.0.2.1"), await from(plain, "192.0.2.2")]).toEqual([401, 429]);
      await Promise.all([trusting.close(), plain.close()]);
    },
  );
});

describe("with a key", () => {
  test.each([
    { scopes: ["scans:read"], reading: 200, writing: 403 },
    { scopes: ["scans:write"], reading: 403, writing: 200 },
    { scopes: [], reading: 200, writing: 200 },
  ] as const)("the scopes $scopes read $reading and write $writing", async ({ scopes, reading, writing }) => {
    const { key } = await newAccount(api.store, { scopes });
    const responses = [await list(key), await submit(key)];
    expect(responses.map(({ status }) => status)).toEqual([reading, writing]);
    for (const response of responses) if (response.status === 403) expectError(response, 403, "forbidden");
  });

  test("a revoked key is refused by every API that knew it, although no time passes for their caches", async () => {
    const now = new Date();
    const replica = () => startTestApi({ databaseUrl: api.databaseUrl, now: () => now });
    const [one, other] = [await replica(), await replica()];
    const { key, keyId } = await newAccount(api.store);
    expect([(await list(key, one)).status, (await list(key, other)).status]).toEqual([200, 200]);
    await api.store.keys.revoke(keyId);
    await until(async () => (await list(key, one)).status === 401);
    await until(async () => (await list(key, other)).status === 401);
    await Promise.all([one.close(), other.close()]);
  });

  test("its last use is noted when the API closes", async () => {
    const passing = await startTestApi({ databaseUrl: api.databaseUrl });
    const touched: string[] = [];
    const { key, keyId } = await newAccount(api.store);
    const { touch } = passing.store.keys;
    passing.store.keys.touch = (lastUsed) => {
      touched.push(...lastUsed.keys());
      return touch(lastUsed);
    };
    await list(key, passing);
    await list(key, passing);
    await passing.close();
    expect(touched).toEqual([keyId]);
  });
});

test("the log names the route, and holds no key, body or query", async () => {
  const { key, account } = await newAccount(api.store);
  await ask(`${api.url}/v1/scans?limit=7&secret=hunter2`, { key });
  await ask(`${api.url}/v1/scan`, { key, body: { url: "https://example.com/?token=hunter2", x: "hunter3" } });
  const lines = api.log.map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({ method: "GET", route: "/v1/scans", status: 200, account: account.id }),
  );
  expect(api.log.join("")).not.toMatch(/hunter|gbx_|secret=|Bearer/);
});
