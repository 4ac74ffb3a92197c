import { expect, it } from "vitest";
import { MAX_SERIES, obeysWaits, baselineTime, WAITS, WAITS_MS, type Timing } from "./delays.ts";

const timings = (...pairs: [asked: number, elapsed: number][]): Timing[] =>
  pairs.map(([askedMs, elapsedMs]) => ({ askedMs, elapsedMs }));

it.each([
  ["took as long as asked", true, timings([600, 650], [0, 40], [1200, 1210], [0, 55])],
  ["were all as fast as the baseline", false, timings([600, 50], [0, 50])],
  ["were slow now and then", false, timings([600, 650], [0, 700])],
  ["waited for something else", false, timings([600, 1200], [0, 50])],
  ["are none", false, []],
])("responses that %s obey waits: %s", (_, expected, seen) => expect(obeysWaits(seen, 50)).toBe(expected));

it("responses that vary by themselves have no baseline time", () => {
  expect(baselineTime([40, 50, 60])).toBe(50);
  expect(baselineTime([40, 900, 60, 400, 700])).toBeUndefined();
});

/** A generator of numbers from 0 to 1 that gives the same ones each time (Park and Miller). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

/** Responses of a target that never waits as asked: with the probability `stalls` one takes up to 5 s longer. */
function looksOf(random: Generator<number, never>, stalls: number): Timing[] {
  const elapsed = (): number =>
    50 + random.next().value * 20 + (random.next().value < stalls ? random.next().value * 5000 : 0);
  return Array.from({ length: WAITS }, (_, wait) => [
    { askedMs: WAITS_MS[wait]!, elapsedMs: elapsed() },
    { askedMs: 0, elapsedMs: elapsed() },
  ]).flat();
}

it.each([0.01, 0.1, 0.5, 0.9])(
  "a target of whose responses %d stall obeys fewer than 1 in 10,000 times",
  (stalls) => {
    const random = numbers(42);
    const rounds = 100_000;
    let obeyed = 0;
    for (let round = 0; round < rounds; round++) {
      const series = Array.from({ length: MAX_SERIES }, () => looksOf(random, stalls));
      if (series.some((timings) => obeysWaits(timings, 60))) obeyed++;
    }
    expect(obeyed / rounds).toBeLessThan(1e-4);
  },
);
