import { scanFailure, type DeliveredOutcome } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import type { RunEnding } from "../scanner/run-scanner.ts";
import { nextStep, refusalBeforeAttempt, type AbortReason, type NextStep } from "./attempt-ending.ts";

const failed = (...why: Parameters<typeof scanFailure>): DeliveredOutcome => ({
  status: "failed",
  failure: scanFailure(...why),
});
const record = (outcome: DeliveredOutcome): NextStep => ({ step: "record", outcome });
const refusal = failed("connection_refused");
const delivered: RunEnding = { how: "delivered", outcome: refusal };

describe("the step after an attempt", () => {
  test.each<[string, RunEnding, number, AbortReason | undefined, NextStep]>([
    ["a delivered outcome is recorded", delivered, 1, undefined, record(refusal)],
    ["a delivered outcome is recorded although the service stops", delivered, 1, "stopping", record(refusal)],
    ["a delivered outcome of a cancelled scan is forgotten", delivered, 1, "gone", { step: "forget" }],
    [
      "an overrun is a missed deadline, at once",
      { how: "overran" },
      1,
      undefined,
      record(failed("deadline_exceeded")),
    ],
    [
      "a malformed report has failed, at once",
      { how: "malformed", detail: "It is no report." },
      1,
      undefined,
      record(failed("report_malformed", "It is no report.")),
    ],
    ["a first crash is tried again", { how: "crashed" }, 1, undefined, { step: "retry" }],
    ["a second crash is tried again", { how: "crashed" }, 2, undefined, { step: "retry" }],
    ["a third crash has failed", { how: "crashed" }, 3, undefined, record(failed("scanner_crashed"))],
    ["a first lost result is tried again", { how: "lost" }, 1, undefined, { step: "retry" }],
    ["a third lost result has failed", { how: "lost" }, 3, undefined, record(failed("result_lost"))],
    [
      "a crash while the service stops gives the scan back",
      { how: "crashed" },
      3,
      "stopping",
      { step: "release" },
    ],
    [
      "a scan that the stopping service killed is given back",
      { how: "aborted" },
      3,
      "stopping",
      { step: "release" },
    ],
    [
      "a scan that was killed because it was cancelled is forgotten",
      { how: "aborted" },
      1,
      "gone",
      { step: "forget" },
    ],
    ["a crash of a cancelled scan is forgotten", { how: "crashed" }, 1, "gone", { step: "forget" }],
  ])("%s", (_sentence, ending, attempt, aborted, expected) => {
    expect(nextStep(ending, { attempt, aborted })).toEqual(expected);
  });
});

describe("before an attempt", () => {
  test.each([1, 2, 3])("attempt %i is made", (attempt) => {
    expect(refusalBeforeAttempt(attempt)).toBeUndefined();
  });

  test("a fourth attempt is not made: the service stopped during each of the others", () => {
    expect(refusalBeforeAttempt(4)).toEqual(failed("service_restarted"));
  });
});
