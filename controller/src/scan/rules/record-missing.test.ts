import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { statusWritten } from "../testing/plans.ts";
import { at, scanResource, sealed, withJob, world } from "../testing/worlds.ts";

const accepted = {
  type: "Accepted",
  status: "True",
  reason: "Charged",
  message: "",
  lastTransitionTime: at(0).toISOString(),
} as const;
const status = { conditions: [accepted] };
const missing = (knownSeconds: number | undefined, seconds: number, changes = {}) =>
  world({
    row: { state: "absent", ...(knownSeconds !== undefined && { knownSeconds }) },
    now: at(seconds),
    status,
    attempts: [withJob()],
    ...changes,
  });

describe("an accepted scan without a record", () => {
  test.each<[string, number | undefined, number, string]>([
    ["that is new was erased", undefined, 30, "rowErased"],
    [
      "that was accepted after the database came to know the installation was erased",
      7_200,
      3_600,
      "rowErased",
    ],
    ["that was accepted a minute before, or less, was erased", 40, 100, "rowErased"],
    ["that was accepted longer before is in another database", 39, 100, "recordMissing"],
  ])("%s", (_, knownSeconds, seconds, rule) => {
    expect(decide(missing(knownSeconds, seconds)).rule).toBe(rule);
  });

  test("in another database waits, says why, and nothing of it is stopped", () => {
    expect(decide(missing(20, 3_600))).toMatchObject({
      actions: [
        {
          do: "patchStatus",
          status: { reason: "RecordMissing", message: expect.stringMatching(/no row of this scan/) },
        },
      ],
      requeueAfterSeconds: 581,
    });
    const waiting = statusWritten(missing(20, 3_600));
    expect(decide(missing(20, 3_600, { status: waiting }))).toMatchObject({
      actions: [],
      requeueAfterSeconds: expect.any(Number),
    });
  });

  test("goes on once its record is back", () => {
    const waiting = statusWritten(missing(20, 3_600))!;
    expect(decide(world({ status: waiting, attempts: [sealed()] })).rule).not.toBe("recordMissing");
  });

  test("ends after ten minutes, with a reason, and what still runs is stopped", () => {
    const { rule, actions } = decide(missing(600, 3_600));
    expect(rule).toBe("recordMissing");
    expect(actions).toMatchObject([
      {
        do: "patchStatus",
        status: {
          phase: "Failed",
          failure: { code: "cancelled", message: expect.stringContaining("was replaced or emptied") },
        },
      },
      { do: "deleteAttempt" },
    ]);
  });
});

test("a Scan that was never on record is adopted, whatever its age", () => {
  const input = world({ row: { state: "absent", knownSeconds: 1 }, now: at(3_600), scan: scanResource() });
  expect(decide(input).rule).toBe("adopt");
});
