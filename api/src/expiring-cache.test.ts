import { expect, test } from "vitest";
import { ExpiringCache } from "./expiring-cache.ts";

test("the oldest entry is evicted when there are too many", () => {
  const recent = new ExpiringCache<number>({ ms: 1000, maxEntries: 2 });
  const now = new Date(0);
  for (const [index, key] of ["a", "b", "a", "c"].entries()) recent.set(key, index, now);
  expect(["a", "b", "c"].map((key) => recent.get(key, now)?.value)).toEqual([2, undefined, 3]);
});
