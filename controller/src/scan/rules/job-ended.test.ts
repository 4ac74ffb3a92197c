import { scanFailure, type Outcome } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { completeJob, failedJob, report, settings, world } from "../testing/worlds.ts";
import type { AttemptView } from "../world.ts";

const recorded = (code: Parameters<typeof scanFailure>[0], detail?: string) => [
  { do: "recordOutcome", outcome: { status: "failed", failure: scanFailure(code, detail) } },
];
const last = settings.maxAttempts;

describe("a complete Job", () => {
  test("has its report read", () => {
    expect(decide(world({ attempts: [completeJob()] })).actions).toEqual([{ do: "readReport", attempt: 1 }]);
  });

  test.each<[string, Outcome]>([
    ["done", { status: "completed", report }],
    ["done", { status: "failed", failure: scanFailure("tls_failure") }],
    ["isolationNotProven", { status: "failed", failure: scanFailure("isolation_not_proven") }],
  ])("ends as %s with what was delivered, be it a failure", (rule, outcome) => {
    const answers = { report: { attempt: 1, how: "delivered", outcome } } as const;
    expect(decide(world({ attempts: [completeJob()], answers }))).toEqual({
      rule,
      actions: [{ do: "recordOutcome", outcome }],
    });
  });

  test("whose report holds no proof of isolation is not believed", () => {
    const { isolation: _, ...unproven } = report;
    const outcome: Outcome = { status: "completed", report: unproven };
    const answers = { report: { attempt: 1, how: "delivered", outcome } } as const;
    expect(decide(world({ attempts: [completeJob()], answers })).actions).toEqual(
      recorded("isolation_not_proven", "The report holds no proof."),
    );
  });

  const lost = (attempt: number) =>
    world({
      attempts: [completeJob(attempt)],
      answers: { report: { attempt, how: "lost", detail: "Its log was cut." } },
    });
  test("whose report did not arrive whole is tried again in a new attempt", () => {
    expect(decide(lost(1))).toMatchObject({
      rule: "resultLost",
      actions: [
        { do: "patchStatus", status: { attempt: 2, phase: "Pending" } },
        { do: "deleteAttempt", attempt: 1 },
      ],
    });
  });

  test("whose report is lost at the last attempt fails as result_lost, never as a report without findings", () => {
    expect(decide(lost(last)).actions).toEqual(recorded("result_lost", "Its log was cut."));
  });

  test("is not judged by the answer for another attempt", () => {
    const answers = { report: { attempt: 1, how: "lost", detail: "" } } as const;
    expect(decide(world({ attempts: [completeJob(2)], answers })).actions).toEqual([
      { do: "readReport", attempt: 2 },
    ]);
  });
});

describe("a failed Job", () => {
  test("that met its deadline fails the scan at once", () => {
    expect(decide(world({ attempts: [failedJob("DeadlineExceeded", [])] })).actions).toEqual(
      recorded("deadline_exceeded"),
    );
  });

  test.each<[string, (number: number) => AttemptView, ...Parameters<typeof recorded>]>([
    [
      "podFailurePolicy",
      (n) => failedJob("PodFailurePolicy", [{}], n),
      "result_lost",
      "Its pod was evicted.",
    ],
    [
      "outOfMemory",
      (n) => failedJob("BackoffLimitExceeded", [{ terminatedReason: "OOMKilled" }], n),
      "scanner_crashed",
      "It ran out of memory.",
    ],
    ["podDeleted", (n) => failedJob("BackoffLimitExceeded", [], n), "result_lost", "Its pod was deleted."],
    [
      "backoffLimitExceeded",
      (n) => failedJob("BackoffLimitExceeded", [{ terminatedReason: "Error" }], n),
      "scanner_crashed",
    ],
    ["jobFailed", (n) => failedJob("Novelty", [{}], n), "scanner_crashed", "Its Job failed: Novelty."],
  ])("by %s is tried again, and after the last attempt failed", (rule, attempt, code, detail) => {
    expect(decide(world({ attempts: [attempt(1)] }))).toMatchObject({
      rule,
      actions: [
        { do: "patchStatus", status: { attempt: 2 } },
        { do: "deleteAttempt", attempt: 1 },
      ],
    });
    expect(decide(world({ attempts: [attempt(last)] })).actions).toEqual(recorded(code, detail));
  });
});
