import { expect, test } from "vitest";
import { secondsToRenewal } from "./quota.ts";

test.each([
  ["2030-01-31T23:59:59.500Z", 1],
  ["2030-01-31T23:00:00Z", 3600],
  ["2030-12-31T00:00:00Z", 86_400],
  ["2028-02-28T00:00:00Z", 2 * 86_400],
  ["2030-01-01T00:00:00Z", 31 * 86_400],
])("from %s it is %i seconds until the quota is renewed", (now, seconds) => {
  expect(secondsToRenewal(new Date(now))).toBe(seconds);
});
