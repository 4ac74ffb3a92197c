import { expect, it } from "vitest";
import { type Api, startApi } from "../testing/api.ts";
import { testWeaknesses } from "../testing/weaknesses.ts";
import { rateLimiting } from "./rate-limiting.ts";

async function statuses(
  times: number,
  ask: (index: number) => Promise<{ status: number }>,
): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < times; index += 1) seen.push((await ask(index)).status);
  return seen;
}
const available = (api: Api, forwarded: string) =>
  api.get("/v2/availability", { "x-forwarded-for": forwarded });

testWeaknesses("rate limiting", rateLimiting, {
  "Requests are not limited, and responses have no rate limit headers": async (api) => {
    const { headers } = await api.get("/health");
    return (
      headers["ratelimit-limit"] === undefined &&
      !(await statuses(30, () => api.get("/health"))).includes(429)
    );
  },
  "`limit` has no upper bound": async (api) => (await api.get("/v2/events?limit=5000")).text.length > 100_000,
  "Attempts at one-time codes of six digits are not limited": async (api) => {
    const tries = await statuses(8, () =>
      api.send("POST", "/v2/verifications", { body: { code: "000000" } }),
    );
    return !tries.includes(429);
  },
  "The rate limit is bypassed with the `X-Forwarded-For` header": async (api) =>
    (await statuses(12, () => available(api, "198.51.100.1"))).includes(429) &&
    (await available(api, "198.51.100.2")).status === 200,
});

it("the hardened variant returns 429 with Retry-After for a burst", async () => {
  const api = await startApi("hardened", { requestsPerSecond: 2 });
  const responses = await Promise.all(Array.from({ length: 6 }, () => api.get("/health")));
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.headers["retry-after"]).toBe("1");
  expect(refused?.headers["ratelimit-limit"]).toBe("2");
  await api.demo.close();
});
