import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryCounter } from "../limits/rate-counter.ts";
import { attemptDelay, createThrottle } from "./throttle.ts";

test.each([
  [{ address: 1, name: 1, all: 1 }, 0],
  [{ address: 3, name: 3, all: 120 }, 0],
  [{ address: 1, name: 4, all: 4 }, 250],
  [{ address: 1, name: 5, all: 5 }, 500],
  [{ address: 1, name: 8, all: 8 }, 4_000],
  [{ address: 1, name: 1_000, all: 1_000 }, 4_000],
  [{ address: 1, name: 1, all: 121 }, 250],
  [{ address: 20, name: 1, all: 20 }, 0],
  [{ address: 21, name: 1, all: 21 }, undefined],
])("after %j attempts the next one waits %s ms", (attempts, delay) => {
  expect(attemptDelay(attempts)).toBe(delay);
});

test("whatever others do, an attempt from an address that made few waits for four seconds at most", () => {
  fc.assert(
    fc.property(fc.nat({ max: 20 }), fc.nat(), fc.nat(), (address, name, all) => {
      expect(attemptDelay({ address, name, all })).toBeLessThanOrEqual(4_000);
    }),
  );
});

test("a name is the same however it is written, and is not in the counter's keys", async () => {
  const counted: string[] = [];
  const counter = memoryCounter();
  const count = (key: string) => {
    counted.push(key);
    return counter.count(key);
  };
  const waits: number[] = [];
  const throttle = createThrottle({ ...counter, count }, async (ms) => waits.push(ms));
  for (const [at, name] of [
    "ada@example.com",
    "ADA@example.com",
    " ada@example.com",
    "Ada@Example.com",
  ].entries())
    await throttle({ address: `192.0.2.${at}`, name });
  expect(waits).toEqual([250]);
  expect(counted.join()).not.toMatch(/ada/i);
});

test("the twenty-first attempt of an address in a minute is refused, and said when to come again", async () => {
  const throttle = createThrottle(memoryCounter(), async () => undefined);
  for (let n = 0; n < 20; n++) await throttle({ address: "192.0.2.1", name: `user-${n}` });
  await expect(throttle({ address: "192.0.2.1", name: "ada" })).rejects.toMatchObject({
    code: "rate_limit_exceeded",
    headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
  });
});
