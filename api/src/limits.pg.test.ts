import { hashApiKey, newApiKey } from "@glovebox/store";
import { describe, expect, test } from "vitest";
import { newAccount, planRate, startTestApi, useTestApi } from "./testing/harness.ts";
import { ask } from "./testing/requests.ts";
import { expectError, expectStandardHeaders } from "./testing/standard-headers.ts";

const api = useTestApi();

const list = (key: string, at = api) => ask(`${at.url}/v1/scans`, { key });
const submit = (key: string, at = api) =>
  ask(`${at.url}/v1/scan`, {
    key,
    headers: { Prefer: "respond-async" },
    body: { url: "https://example.com" },
  });

describe("the limits of a plan", () => {
  test.each(["free", "starter", "pro"] as const)(
    "the plan %s sets the limit that the headers count down",
    async (plan) => {
      const { key } = await newAccount(api.store, { plan });
      const limit = planRate(plan);
      const responses = [await list(key), await list(key)];
      expect(
        responses.map(({ headers }) => [
          headers.get("x-ratelimit-limit"),
          headers.get("x-ratelimit-remaining"),
        ]),
      ).toEqual([
        [String(limit), String(limit - 1)],
        [String(limit), String(limit - 2)],
      ]);
    },
  );

  test("the limits of a plan of 40 simultaneous requests on a Free key 10 get a response and 30 are refused", async () => {
    const { key } = await newAccount(api.store, { plan: "free" });
    const responses = await Promise.all(Array.from({ length: 40 }, () => list(key)));
    const refused = responses.filter(({ status }) => status === 429);
    expect([responses.filter(({ status }) => status === 200).length, refused.length]).toEqual([10, 30]);
    for (const response of refused) {
      expectError(response, 429, "rate_limit_exceeded");
      expect(response.headers.get("x-ratelimit-remaining")).toBe("0");
      const retryAfter = Number(response.headers.get("retry-after"));
      expect(retryAfter > 0 && retryAfter <= 60).toBe(true);
    }
  });

  test("two keys of one account have a limit each", async () => {
    const { account, key } = await newAccount(api.store, { requestsPerMinute: 1 });
    const second = newApiKey();
    await api.store.keys.add({ accountId: account.id, name: "second", sha256: hashApiKey(second) });
    expect([(await list(key)).status, (await list(second)).status, (await list(key)).status]).toEqual([
      200, 200, 429,
    ]);
  });

  test("all keys of one account have five times the limit of one together", async () => {
    const { account } = await newAccount(api.store, { plan: "free" });
    const keys = Array.from({ length: 12 }, () => newApiKey());
    for (const key of keys)
      await api.store.keys.add({ accountId: account.id, name: "many", sha256: hashApiKey(key) });
    const responses = await Promise.all(keys.flatMap((key) => Array.from({ length: 9 }, () => list(key))));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5 * planRate("free"));
    expect(statuses.filter((status) => status === 429)).toHaveLength(12 * 9 - 5 * planRate("free"));
    const refused = await list(keys[0]!);
    expectError(refused, 429, "rate_limit_exceeded");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect((await list((await newAccount(api.store, { plan: "free" })).key)).status).toBe(200);
  });

  test("a request of an account without quota gets 429 until the next month begins", async () => {
    const at = new Date("2030-01-31T23:00:00Z");
    const later = await startTestApi({ databaseUrl: api.databaseUrl, now: () => at });
    const { key } = await newAccount(api.store, { plan: "free", requestsPerMinute: 100 });
    for (let index = 0; index < 3; index++) expect((await submit(key, later)).status).toBe(200);
    const refused = await submit(key, later);
    expect([refused.status, refused.json.error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("96");
    await later.close();
  });
});

test("with a Redis that was never there requests get a response and are counted in memory, and the API closes", async () => {
  const alone = await startTestApi({ databaseUrl: api.databaseUrl, redisUrl: "redis://127.0.0.1:1" });
  const { key } = await newAccount(api.store, { plan: "free" });
  const responses = [await list(key, alone), await list(key, alone)];
  expect(responses.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual(["9", "8"]);
  expect((await ask(`${alone.url}/metrics`)).text).toContain("glovebox_rate_limiter_fallback 1\n");
  expect(alone.log.filter((line) => line.includes("Redis is unreachable"))).toHaveLength(1);
  await alone.close();
});

test("the limits' headers are on what is outside /v1 too", async () => {
  for (const path of ["/healthz", "/readyz", "/metrics", "/v1/docs", "/v1/openapi.json", "/nothing"])
    expectStandardHeaders(await ask(api.url + path));
});
