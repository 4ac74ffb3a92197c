import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_ATTEMPTS, retrySeconds } from "./backoff.ts";

const HOURS = 3600;

test.each([
  [1, 5],
  [2, 30],
  [4, 1800],
  [9, 10 * HOURS],
])("attempt %i is repeated after at most %i seconds", (attempt, seconds) => {
  expect(retrySeconds(attempt, 0)).toBe(seconds);
  expect(retrySeconds(attempt, 1)).toBeCloseTo(seconds * 0.8);
});

test("the last attempt is not repeated", () => {
  expect(retrySeconds(MAX_ATTEMPTS, 0.5)).toBeNull();
  expect(retrySeconds(MAX_ATTEMPTS - 1, 0.5)).not.toBeNull();
});

test("with any random delay, all attempts take between 18 and 24 hours", () => {
  const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: MAX_ATTEMPTS,
    maxLength: MAX_ATTEMPTS,
  });
  fc.assert(
    fc.property(chances, (random) => {
      const total = random.reduce((sum, chance, index) => sum + (retrySeconds(index + 1, chance) ?? 0), 0);
      expect(total).toBeGreaterThan(18 * HOURS);
      expect(total).toBeLessThan(24 * HOURS);
    }),
  );
});
