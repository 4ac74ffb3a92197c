import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryCounter } from "../limits/rate-counter.ts";
import { attemptDelay, createThrottle } from "./throttle.ts";

test.each([
  [{ name: 1, all: 1 }, 0],
  [{ name: 3, all: 120 }, 0],
  [{ name: 4, all: 4 }, 250],
  [{ name: 5, all: 5 }, 500],
  [{ name: 8, all: 8 }, 4_000],
  [{ name: 1_000, all: 1_000 }, 4_000],
  [{ name: 1, all: 121 }, 250],
])("after %j attempts the next one waits %s ms", (attempts, delay) => {
  expect(attemptDelay(attempts)).toBe(delay);
});

test("regardless of what others do, an attempt from an address that made few waits for four seconds at most", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (name, all) => {
      expect(attemptDelay({ name, all })).toBeLessThanOrEqual(4_000);
    }),
  );
});

test("a name is slowed whichever addresses try it, and is not in the counter's keys", async () => {
  const counted: string[] = [];
  const counter = memoryCounter();
  const count = (key: string) => {
    counted.push(key);
    return counter.count(key);
  };
  const waits: number[] = [];
  const throttle = createThrottle({ ...counter, count }, async (ms) => waits.push(ms));
  for (let n = 1; n <= 4; n++) await throttle({ address: `192.0.2.${n}`, name: "ada@example.com" });
  expect(waits).toEqual([250]);
  expect(counted.join()).not.toMatch(/ada/i);
});

test("ten attempts a minute from a browser that the user knows wait for nobody, and later ones do", async () => {
  const waits: number[] = [];
  const throttle = createThrottle(memoryCounter(), async (ms) => waits.push(ms));
  for (let n = 0; n < 1_000; n++) await throttle({ address: `198.51.${n >> 8}.${n & 255}`, name: "ada" });
  waits.length = 0;
  const own = { address: "192.0.2.1", name: "ada", knownBrowser: "digest" };
  for (let n = 0; n < 10; n++) await throttle(own);
  expect(waits).toEqual([]);
  await throttle(own);
  expect(waits).toEqual([4_000]);
});

test("the twenty-first attempt of an address in a minute is refused, and said when to come again", async () => {
  const throttle = createThrottle(memoryCounter(), async () => undefined);
  for (let n = 0; n < 20; n++) await throttle({ address: "192.0.2.1", name: `user-${n}` });
  await expect(throttle({ address: "192.0.2.1", name: "ada" })).rejects.toMatchObject({
    code: "rate_limit_exceeded",
    headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
  });
});
