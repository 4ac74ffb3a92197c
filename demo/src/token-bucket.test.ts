import { expect, it } from "vitest";
import { TokenBuckets } from "./token-bucket.ts";

it("a bucket allows its capacity, then refuses, and allows one more after the refill interval", () => {
  let now = 0;
  const buckets = new TokenBuckets({ capacity: 2, perSecond: 0.5, now: () => now });
  expect(buckets.take("a")).toEqual({ limit: 2, allowed: true, remaining: 1, resetSeconds: 0 });
  expect(buckets.take("a")).toEqual({ limit: 2, allowed: true, remaining: 0, resetSeconds: 2 });
  expect(buckets.take("a")).toEqual({ limit: 2, allowed: false, remaining: 0, resetSeconds: 2 });
  expect(buckets.take("b").allowed).toBe(true);
  now = 2000;
  expect(buckets.take("a").allowed).toBe(true);
  now = 3_600_000;
  expect(buckets.take("a").remaining).toBe(1);
});
