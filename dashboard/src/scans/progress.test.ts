import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOTHING_SEEN, furthest, type ProgressEvent } from "./progress.ts";

const at = (done: number, planned: number): ProgressEvent => ({ progress: { done, planned } });

describe("the progress that a page shows", () => {
  test("stays where it was when the last event has none", () => {
    const seen = [at(700, 1_499), at(1_499, 1_499), at(0, 0)].reduce(furthest, NOTHING_SEEN);
    expect(seen).toMatchObject({ progress: { done: 1_499, planned: 1_499 }, share: 1 });
  });

  test("keeps its bar when the plan grows, and says the new numbers", () => {
    const seen = [at(900, 1_000), at(901, 1_200)].reduce(furthest, NOTHING_SEEN);
    expect(seen).toMatchObject({ progress: { done: 901, planned: 1_200 }, share: 0.9 });
  });

  test("never decreases, in any order of events", () => {
    const event = fc.record({ progress: fc.record({ done: fc.nat(3_000), planned: fc.nat(3_000) }) });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let seen = NOTHING_SEEN;
        for (const each of events) {
          const next = furthest(seen, each);
          expect(next.share).toBeGreaterThanOrEqual(seen.share);
          expect(next.progress.done).toBeGreaterThanOrEqual(seen.progress.done);
          expect(next.progress.planned).toBeGreaterThanOrEqual(seen.progress.planned);
          seen = next;
        }
      }),
    );
  });
});
