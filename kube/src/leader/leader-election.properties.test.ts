import { createFakeClock } from "../testing/fake-clock.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCandidate } from "../testing/candidate.ts";
import { FakeLeases, type Journey } from "../testing/fake-leases.ts";

const delay = fc.oneof(fc.constant(0), fc.nat(800), fc.nat(20_000));
const journey: fc.Arbitrary<Journey> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ thereMs: 0, backMs: 0 }) },
  { weight: 3, arbitrary: fc.record({ thereMs: delay, backMs: delay }) },
  fc.record({ thereMs: delay, backMs: delay, lost: fc.constantFrom("there" as const, "back" as const) }),
);
/** Periods in which all calls go the same way, long enough for a leader to lose its lease. */
const spell = fc.tuple(journey, fc.integer({ min: 1, max: 8 }));
const journeys = fc
  .array(spell, { minLength: 1, maxLength: 12 })
  .map((spells) => spells.flatMap(([journey, times]) => Array<Journey>(times).fill(journey)));
const step = fc.record({
  ms: fc.nat(4000),
  stops: fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, fc.nat(2)),
});

/** The journeys in turn; afterwards the network is well. */
const inTurn = (planned: readonly Journey[]): (() => Journey) => {
  const left = [...planned];
  return () => left.shift() ?? { thereMs: 0, backMs: 0 };
};

describe("three candidates on a network that delays and loses", () => {
  test("three candidates on a network that delays and loses are never two leaders at a time, with any dates", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(journeys, journeys, journeys),
        fc.array(step, { minLength: 10, maxLength: 40 }),
        fc.array(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }), {
          minLength: 3,
          maxLength: 3,
        }),
        async (networks, steps, dates) => {
          const clock = createFakeClock();
          const leases = new FakeLeases(clock);
          const candidates = networks.map((planned, index) =>
            createCandidate({
              name: `c${index}`,
              leases,
              journey: inTurn(planned),
              clock: clock.withDate(dates[index]!),
            }),
          );
          candidates.forEach(({ election }) => election.start());
          for (const { ms, stops } of steps) {
            for (let left = ms; left > 0; left -= 250) {
              await clock.advance(Math.min(left, 250));
              expect(candidates.filter((candidate) => candidate.mayWrite()).length).toBeLessThanOrEqual(1);
            }
            if (stops !== undefined) void candidates[stops]!.election.stop();
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("three candidates on a network that delays and loses that are left alone on a network that has recovered have one leader, unless all have ended", async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(journeys, journeys), async (networks) => {
        const clock = createFakeClock();
        const leases = new FakeLeases(clock);
        const candidates = networks.map((planned, index) =>
          createCandidate({ name: `c${index}`, leases, journey: inTurn(planned), clock }),
        );
        candidates.forEach(({ election }) => election.start());
        await clock.advance(600_000);
        const ended = candidates.filter(({ log }) => log.includes("lost")).length;
        const leaders = candidates.filter((candidate) => candidate.mayWrite()).length;
        expect(leaders).toBe(ended === candidates.length ? 0 : 1);
      }),
      { numRuns: 25 },
    );
  });
});
