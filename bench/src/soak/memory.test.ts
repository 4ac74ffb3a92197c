import fc from "fast-check";
import { expect, test } from "vitest";
import { trendOfLastThird } from "./memory.ts";

const MINUTES = 30;
const period = { from: 0, to: MINUTES * 60_000 };
/** A sample every 5 seconds, by the minutes since the start. */
const sampled = (mibAt: (minutes: number, index: number) => number, fromMinute = 0) =>
  Array.from({ length: MINUTES * 12 + 1 }, (_, index) => ({
    at: index * 5_000,
    mib: mibAt(index / 12, index),
  })).filter(({ at }) => at >= fromMinute * 60_000);
const alternating = (index: number): number => (index % 2 === 0 ? 1 : -1);

test.each<[string, (minutes: number, index: number) => number, boolean]>([
  ["constant memory is flat", () => 120, true],
  ["noise is flat", (_, index) => 120 + 8 * alternating(index), true],
  ["a sawtooth of a garbage collector is flat", (minutes) => 100 + 30 * (minutes % 1), true],
  ["growth before the last third is flat", (minutes) => Math.min(60 + 6 * minutes, 160), true],
  ["memory that is given back is flat", (minutes) => 200 - 2 * minutes, true],
  ["a leak of 1 MiB a minute is not", (minutes) => 100 + minutes, false],
  ["nor is one in noise", (minutes, index) => 100 + 2 * minutes + 5 * alternating(index), false],
  ["nor is a step in the last third", (minutes) => (minutes < 25 ? 100 : 130), false],
])("%s", (_name, mibAt, isFlat) => {
  expect(trendOfLastThird(sampled(mibAt), period)?.isFlat).toBe(isFlat);
});

test("a line has its slope, and its growth over ten minutes", () => {
  const trend = trendOfLastThird(
    sampled((minutes) => 100 + 2 * minutes),
    period,
  );
  expect(trend?.mibPerHour).toBeCloseTo(120);
  expect(trend?.growthMib).toBeCloseTo(20);
});

test("a process that started in the last third, or ended before it, has no trend", () => {
  const steady = (): number => 100;
  expect(trendOfLastThird(sampled(steady, 21), period)).toBeUndefined();
  expect(
    trendOfLastThird(
      sampled(steady).filter(({ at }) => at < 60_000),
      period,
    ),
  ).toBeUndefined();
});

test("a leak of a tenth of the memory in the last third is found despite 1 % of noise", () => {
  const leak = fc.double({ min: 0.1, max: 1, noNaN: true });
  const noise = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 361, maxLength: 361 });
  fc.assert(
    fc.property(leak, noise, (share, noises) => {
      const samples = sampled((minutes, index) => 100 * (1 + (share * (minutes - 20)) / 10) + noises[index]!);
      expect(trendOfLastThird(samples, period)?.isFlat).toBe(false);
    }),
  );
});
