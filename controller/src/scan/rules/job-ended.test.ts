import { isRefunded, isolationFailure, scanFailure } from "@glovebox/contract";
import { type DeliveredOutcome } from "@glovebox/scan-run";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { failureRecorded } from "../testing/plans.ts";
import { canary, completeJob, failedJob, report, settings, withJob, world } from "../testing/worlds.ts";
import type { QueryResponses, AttemptView } from "../world.ts";
import type { PodView } from "../../kubernetes/pod-view.ts";

const EXITED = new Date("2027-01-01T00:00:00Z");

const last = settings.maxAttempts;

describe("a complete Job", () => {
  test("a complete Job has its report read", () => {
    expect(decide(world({ attempts: [completeJob()] })).actions).toEqual([{ ask: "readReport", attempt: 1 }]);
  });

  const lives = { attempt: 1, alive: true } as const;
  const refusedByCanary: DeliveredOutcome = {
    status: "failed",
    failure: { ...isolationFailure("CanaryRefused"), message: "Reworded." },
  };

  test.each<[string, DeliveredOutcome, QueryResponses["canary"]?]>([
    ["done", { status: "completed", report }, lives],
    ["done", { status: "failed", failure: scanFailure("tls_failure") }],
    ["isolationNotProven", { status: "failed", failure: isolationFailure("CanaryReachable") }],
    ["isolationNotProven", refusedByCanary, lives],
  ])("ends as %s with what was delivered, be it a failure", (rule, outcome, canary) => {
    const responses = { report: { attempt: 1, how: "delivered", outcome }, canary } as const;
    expect(decide(world({ attempts: [completeJob()], responses }))).toEqual({
      rule,
      actions: [{ do: "recordOutcome", outcome }],
      decideAgain: true,
    });
  });

  test("a complete Job whose report holds no proof of isolation is not believed", () => {
    const { isolation: _, ...unproven } = report;
    const outcome: DeliveredOutcome = { status: "completed", report: unproven };
    const responses = { report: { attempt: 1, how: "delivered", outcome } } as const;
    expect(decide(world({ attempts: [completeJob()], responses })).actions).toEqual([
      { do: "recordOutcome", outcome: { status: "failed", failure: isolationFailure("NotObserved") } },
    ]);
  });

  test.each<[string, DeliveredOutcome]>([
    ["a proof", { status: "completed", report }],
    ["a refusal at the canary", refusedByCanary],
  ])("a complete Job with %s has its canary asked whether it lived until now", (_, outcome) => {
    const responses = { report: { attempt: 2, how: "delivered", outcome }, canary: lives } as const;
    expect(decide(world({ attempts: [completeJob(2)], responses })).actions).toEqual([
      { ask: "attestCanary", attempt: 2 },
    ]);
  });

  const lostCanary = (
    attempt: number,
    losses?: number,
    outcome: DeliveredOutcome = { status: "completed", report },
  ) =>
    world({
      ...(losses !== undefined && { status: { canaryLosses: losses } }),
      attempts: [completeJob(attempt)],
      responses: {
        report: { attempt, how: "delivered", outcome },
        canary: { attempt, alive: false, detail: "The canary no longer responds." },
      },
    });

  test.each<[string, DeliveredOutcome]>([
    ["proof", { status: "completed", report }],
    ["refusal", refusedByCanary],
  ])("a complete Job whose canary was lost is repeated, as its %s does not count", (_, outcome) => {
    expect(decide(lostCanary(1, undefined, outcome))).toMatchObject({
      rule: "canaryLost",
      actions: [
        { do: "patchStatus", status: { attempt: 2, phase: "Pending", canaryLosses: 1 } },
        { do: "deleteAttempt", attempt: 1 },
      ],
    });
  });

  test("a complete Job of an earlier release, which noted no canary, is repeated: its proof cannot be attested", () => {
    const { canaries: _, ...isolation } = report.isolation;
    const outcome: DeliveredOutcome = { status: "completed", report: { ...report, isolation } };
    const responses = { report: { attempt: 1, how: "delivered", outcome } } as const;
    const attempts = [
      withJob({ ended: { how: "complete" }, canary: undefined }, [{ families: ["IPv4", "IPv6"] }]),
    ];
    expect(decide(world({ attempts, responses }))).toMatchObject({
      rule: "canaryLost",
      actions: [
        { do: "patchStatus", status: { attempt: 2, phase: "Pending", canaryLosses: 1 } },
        { do: "deleteAttempt", attempt: 1 },
      ],
    });
  });

  test("a complete Job whose canary was lost at the last attempt fails, and the proof is not recorded", () => {
    const most = settings.maxCanaryLosses;
    expect(decide(lostCanary(most + 1, most)).actions).toEqual([
      {
        do: "recordOutcome",
        outcome: {
          status: "failed",
          failure: isolationFailure("CanaryLost", "The canary no longer responds."),
        },
      },
    ]);
  });

  test("a complete Job after lost canaries still has the same attempts for other failures", () => {
    const status = { attempt: 5, canaryLosses: 4 };
    const responses = { report: { attempt: 5, how: "lost", detail: "" } } as const;
    expect(decide(world({ status, attempts: [completeJob(5)], responses })).rule).toBe("resultLost");
    expect(decide(world({ status, attempts: [completeJob(5)], responses })).actions[0]).toMatchObject({
      status: { attempt: 6, canaryLosses: 4 },
    });
  });

  test.each<[string, Partial<PodView>]>([
    ["of the pod", { families: ["IPv4", "IPv6"] }],
    ["of the canary, where the pod's are not known", { families: undefined }],
  ])("a complete Job whose proof lacks an address family %s is not believed", (_, pod) => {
    const isolation = { ...report.isolation, canaries: [canary.endpoints[0]!] };
    const outcome: DeliveredOutcome = { status: "completed", report: { ...report, isolation } };
    const responses = { report: { attempt: 1, how: "delivered", outcome }, canary: lives } as const;
    const attempts = [withJob({ ended: { how: "complete" } }, [pod])];
    expect(decide(world({ attempts, responses })).actions).toEqual([
      {
        do: "recordOutcome",
        outcome: { status: "failed", failure: isolationFailure("CanaryFamilyMissing") },
      },
    ]);
    const onlyIPv4 = [withJob({ ended: { how: "complete" } }, [{ families: ["IPv4"] }])];
    expect(decide(world({ attempts: onlyIPv4, responses })).rule).toBe("done");
  });

  const lost = (attempt: number) =>
    world({
      attempts: [completeJob(attempt)],
      responses: { report: { attempt, how: "lost", detail: "Its log was cut." } },
    });
  test("a complete Job whose report did not arrive whole is tried again in a new attempt", () => {
    expect(decide(lost(1))).toMatchObject({
      rule: "resultLost",
      actions: [
        { do: "patchStatus", status: { attempt: 2, phase: "Pending", jobUid: "job-1" } },
        { do: "deleteAttempt", attempt: 1 },
      ],
    });
  });

  test("a complete Job whose report is lost at the last attempt fails as result_lost, never as a report without findings", () => {
    expect(decide(lost(last)).actions).toEqual(failureRecorded("result_lost", "Its log was cut."));
  });

  test("a complete Job whose report is malformed fails immediately, at the target's expense, and is neither read nor tried again", () => {
    const responses = {
      report: { attempt: 1, how: "malformed", detail: "It does not match the schema of a report." },
    } as const;
    expect(decide(world({ attempts: [completeJob()], responses }))).toEqual({
      rule: "reportMalformed",
      actions: failureRecorded("report_malformed", "It does not match the schema of a report."),
      decideAgain: true,
    });
    expect(isRefunded("report_malformed")).toBe(false);
  });

  test("a complete Job is not judged by the response for another attempt", () => {
    const responses = { report: { attempt: 1, how: "lost", detail: "" } } as const;
    expect(decide(world({ attempts: [completeJob(2)], responses })).actions).toEqual([
      { ask: "readReport", attempt: 2 },
    ]);
  });
});

describe("a failed Job", () => {
  test("a failed Job that met its deadline, or whose pod did, fails the scan immediately", () => {
    const ofPod = failedJob("BackoffLimitExceeded", [{ failedReason: "DeadlineExceeded" }]);
    for (const attempt of [failedJob("DeadlineExceeded", []), ofPod])
      expect(decide(world({ attempts: [attempt] })).actions).toEqual(failureRecorded("deadline_exceeded"));
  });

  test.each<[string, (number: number) => AttemptView, ...Parameters<typeof failureRecorded>]>([
    [
      "podFailurePolicy",
      (n) => failedJob("PodFailurePolicy", [{}], n),
      "result_lost",
      "Its pod was evicted.",
    ],
    [
      "outOfMemory",
      (n) => failedJob("BackoffLimitExceeded", [{ terminatedReason: "OOMKilled" }], n),
      "target_crashed_scanner",
    ],
    [
      "crashedByTarget",
      (n) =>
        failedJob(
          "BackoffLimitExceeded",
          [{ terminatedReason: "Error", exit: { code: 134, at: EXITED } }],
          n,
        ),
      "target_crashed_scanner",
    ],
    ["podDeleted", (n) => failedJob("BackoffLimitExceeded", [], n), "result_lost", "Its pod was deleted."],
    [
      "backoffLimitExceeded",
      (n) =>
        failedJob(
          "BackoffLimitExceeded",
          [{ terminatedReason: "Error", exit: { code: 137, at: EXITED } }],
          n,
        ),
      "scanner_crashed",
    ],
    ["jobFailed", (n) => failedJob("Novelty", [{}], n), "scanner_crashed", "Its Job failed: Novelty."],
  ])(
    "a failed Job by %s is tried again, and after the last attempt failed",
    (rule, attempt, code, detail) => {
      expect(decide(world({ attempts: [attempt(1)] }))).toMatchObject({
        rule,
        actions: [
          { do: "patchStatus", status: { attempt: 2 } },
          { do: "deleteAttempt", attempt: 1 },
        ],
      });
      expect(decide(world({ attempts: [attempt(last)] })).actions).toEqual(failureRecorded(code, detail));
    },
  );
});
