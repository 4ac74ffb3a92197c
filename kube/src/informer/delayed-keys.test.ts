import type { Clock } from "../timing/clock.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDelayedKeys } from "./work-queue.ts";

/** Keys with the time at which they became due. */
function setUp() {
  const clock = createFakeClock();
  const fired: [string, number][] = [];
  const keys = createDelayedKeys(clock, (key) => fired.push([key, clock.monotonic()]));
  return { clock, fired, keys };
}

describe("delayed keys", () => {
  test("become due at their times, in any order of adding", async () => {
    const { clock, fired, keys } = setUp();
    for (const [key, ms] of [
      ["b", 20],
      ["a", 10],
      ["d", 40],
      ["c", 30],
    ] as const)
      keys.add(key, ms);
    await clock.advance(100);
    expect(fired).toEqual([
      ["a", 10],
      ["b", 20],
      ["c", 30],
      ["d", 40],
    ]);
  });

  test("delayed keys of several times for a key the earliest counts, and only that", async () => {
    const { clock, fired, keys } = setUp();
    for (const ms of [30, 10, 50]) keys.add("a", ms);
    await clock.advance(100);
    expect(fired).toEqual([["a", 10]]);
  });

  test("a key may be added again while it becomes due", async () => {
    const clock = createFakeClock();
    let times = 0;
    const keys = createDelayedKeys(clock, (key) => {
      if (++times < 3) keys.add(key, 10);
    });
    keys.add("a", 10);
    await clock.advance(100);
    expect(times).toBe(3);
  });

  test("those that were cleared never become due", async () => {
    const { clock, fired, keys } = setUp();
    keys.add("a", 10);
    keys.clear();
    keys.add("b", 20);
    await clock.advance(100);
    expect(fired).toEqual([["b", 20]]);
  });

  test("a time of months is reached by timers that are no longer than Node's may be", async () => {
    const { clock, keys: _, fired } = setUp();
    const asked: number[] = [];
    const counting: Clock = {
      ...clock,
      after(ms, callback) {
        asked.push(ms);
        return clock.after(ms, callback);
      },
    };
    const year = 365 * 24 * 3600 * 1000;
    createDelayedKeys(counting, (key) => fired.push([key, clock.monotonic()])).add("a", year);
    await clock.advance(year);
    expect(fired).toEqual([["a", year]]);
    expect(Math.max(...asked)).toBeLessThan(2 ** 31);
  });

  test("any keys at any times become due once each, at the earliest of their times", async () => {
    const additions = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.nat(50)));
    await fc.assert(
      fc.asyncProperty(additions, async (added) => {
        const { clock, fired, keys } = setUp();
        for (const [key, ms] of added) keys.add(key, ms);
        await clock.advance(60);
        const earliest = new Map<string, number>();
        for (const [key, ms] of added) earliest.set(key, Math.min(ms, earliest.get(key) ?? ms));
        expect(new Map(fired)).toEqual(earliest);
        expect(fired).toHaveLength(earliest.size);
      }),
    );
  });
});
