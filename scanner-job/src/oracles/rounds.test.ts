import fc from "fast-check";
import { expect, test } from "vitest";
import { chanceByTwoLayouts, REPLAYS, ROUNDS, roundsFor } from "./rounds.ts";

/** How often a server of two random layouts randomly agrees with a differential test, counted. */
function simulated(share: number, of: { rounds: number; replays: number }, trials: number): number {
  const isFirst = (): boolean => Math.random() < share;
  const agrees = (): boolean => {
    const baseline = isFirst();
    const isEach = (times: number, wanted: boolean): boolean =>
      Array.from({ length: times }, isFirst).every((layout) => layout === wanted);
    return isEach(of.replays + of.rounds, baseline) && isEach(of.rounds, !baseline);
  };
  return Array.from({ length: trials }, agrees).filter(Boolean).length / trials;
}

test("the chance of two random layouts is what a simulation counts", () => {
  const shares = fc.integer({ min: 5, max: 95 }).map((percent) => percent / 100);
  fc.assert(
    fc.property(shares, fc.integer({ min: 1, max: 3 }), fc.nat(2), (share, rounds, replays) => {
      const trials = 20_000;
      const chance = chanceByTwoLayouts(share, { rounds, replays });
      const deviation = Math.sqrt((chance * (1 - chance)) / trials);
      expect(Math.abs(simulated(share, { rounds, replays }, trials) - chance)).toBeLessThan(
        7 * deviation + 5 / trials,
      );
    }),
    { numRuns: 25 },
  );
});

test("a scan with 1,000 differential tests randomly confirms nothing, with 1 in 10,000", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
      const once = chanceByTwoLayouts(share, { rounds: ROUNDS, replays: REPLAYS });
      expect(1_000 * once ** 2).toBeLessThan(1e-4);
    }),
  );
});

test("more tests or a smaller chance never need fewer rounds", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e5 }),
      fc.double({ min: 1e-9, max: 0.5, noNaN: true }),
      (tests, accepted) => {
        const rounds = roundsFor({ tests, accepted });
        expect(roundsFor({ tests: tests * 2, accepted })).toBeGreaterThanOrEqual(rounds);
        expect(roundsFor({ tests, accepted: accepted / 2 })).toBeGreaterThanOrEqual(rounds);
      },
    ),
  );
});

test("five rounds are enough, and four are not", () => {
  expect(ROUNDS).toBe(5);
  const worst = chanceByTwoLayouts(0.5, { rounds: 4, replays: REPLAYS });
  expect(1_000 * worst ** 2).toBeGreaterThan(1e-4);
});
