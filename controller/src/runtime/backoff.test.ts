import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

const backoff = { baseMs: 1000, maxMs: 10_000 };

test.each([
  [1, 500, 1000],
  [2, 1000, 2000],
  [4, 4000, 8000],
  [5, 5000, 10_000],
  [5000, 5000, 10_000],
])("after failure %i the wait is from %i to %i ms", (failures, least, most) => {
  expect(backoffMs(backoff, failures, () => 0)).toBe(least);
  expect(backoffMs(backoff, failures, () => 1)).toBe(most);
});
