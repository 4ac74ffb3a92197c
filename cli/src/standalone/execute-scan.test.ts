import { scanFailure } from "@glovebox/contract";
import { type DeliveredOutcome } from "@glovebox/scan-run";
import { describe, expect, test } from "vitest";
import type { RunEnding } from "../scanner/run-scanner.ts";
import {
  nextStep,
  recordOutcome,
  refusalBeforeAttempt,
  type AbortReason,
  type NextStep,
  type RecordDeps,
} from "./execute-scan.ts";

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
    ["a delivered outcome of a cancelled scan is forgotten", delivered, 1, "removed", { step: "forget" }],
    [
      "an overrun is immediately a missed deadline",
      { how: "overran" },
      1,
      undefined,
      record(failed("deadline_exceeded")),
    ],
    [
      "a malformed report has failed immediately",
      { how: "malformed", detail: "It does not match the schema of a report." },
      1,
      undefined,
      record(failed("report_malformed", "It does not match the schema of a report.")),
    ],
    ["a first crash is tried again", { how: "crashed" }, 1, undefined, { step: "retry" }],
    ["a second crash is tried again", { how: "crashed" }, 2, undefined, { step: "retry" }],
    ["a third crash has failed", { how: "crashed" }, 3, undefined, record(failed("scanner_crashed"))],
    ["a second crash by the target is tried again", { how: "exhausted" }, 2, undefined, { step: "retry" }],
    [
      "a third crash by the target has failed, and is the target's",
      { how: "exhausted" },
      3,
      undefined,
      record(failed("target_crashed_scanner")),
    ],
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
      "removed",
      { step: "forget" },
    ],
    ["a crash of a cancelled scan is forgotten", { how: "crashed" }, 1, "removed", { step: "forget" }],
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

const OUTCOME: DeliveredOutcome = { status: "failed", failure: scanFailure("connection_refused") };
const AWAY = new Error("away");
const REFUSED = new Error("refused");

/** A database that fails with these errors in turn, and then accepts everything. */
function databaseThat(...responses: Error[]) {
  const recorded: DeliveredOutcome[] = [];
  const attempts: DeliveredOutcome[] = [];
  const stop = new AbortController();
  const deps: RecordDeps = {
    work: {
      record: async (_id, outcome) => {
        attempts.push(outcome);
        const response = responses.shift();
        if (response) throw response;
        recorded.push(outcome);
        return true;
      },
    },
    isUnavailable: (error) => error === AWAY,
    onError: () => {},
    signal: stop.signal,
    firstDelayMs: 1,
  };
  return { deps, recorded, attempts, stop };
}

describe("recording an outcome", () => {
  test("a database that is away for a while gets the outcome when it is back", async () => {
    const { deps, recorded } = databaseThat(AWAY, AWAY, AWAY, AWAY, AWAY);
    expect(await recordOutcome("scan-1", OUTCOME, deps)).toBe(true);
    expect(recorded).toEqual([OUTCOME]);
  });

  test("an outcome that is refused three times for another reason is recorded as a lost result", async () => {
    const { deps, recorded } = databaseThat(REFUSED, REFUSED, AWAY, REFUSED);
    expect(await recordOutcome("scan-1", OUTCOME, deps)).toBe(true);
    expect(recorded).toEqual([{ status: "failed", failure: scanFailure("result_lost") }]);
  });

  test("a service that stops while the database is away says that nothing was recorded", async () => {
    const { deps, attempts, stop } = databaseThat(AWAY, AWAY);
    stop.abort();
    expect(await recordOutcome("scan-1", OUTCOME, deps)).toBe(false);
    expect(attempts).toEqual([OUTCOME]);
  });
});
