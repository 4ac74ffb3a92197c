import { scanFailure } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import type { PolicyObject } from "../../policies/conflicting-policies.ts";
import { failureRecorded, RECONCILING, statusWritten } from "../testing/plans.ts";
import {
  at,
  completeJob,
  failedJob,
  pins,
  policySeen,
  report,
  isolated,
  settings,
  withJob,
  world,
} from "../testing/worlds.ts";
import type { AttemptView, PolicyView, World } from "../world.ts";

const now = at(10).toISOString();
const withPolicy = (attempt: AttemptView, policy: PolicyView | undefined): AttemptView => ({
  ...attempt,
  policy,
});
const breaches: [string, PolicyView | undefined, string][] = [
  ["was removed", undefined, "Its NetworkPolicy was deleted."],
  ["was changed", { ...policySeen, isAsMade: false }, "Its NetworkPolicy was changed."],
  [
    "was changed and then restored",
    { ...policySeen, version: "a-policy/3" },
    "Its NetworkPolicy was changed and then restored.",
  ],
  [
    "was removed and made again",
    { ...policySeen, version: "another/1" },
    "Its NetworkPolicy was deleted and recreated.",
  ],
];
const jobs: [string, (number?: number) => AttemptView][] = [
  ["runs", (number) => withJob({}, [{}], number)],
  ["is complete, its report unread", (number) => completeJob(number)],
  ["met its deadline", (number) => failedJob("DeadlineExceeded", [], number)],
];

describe("an attempt whose policy", () => {
  describe.each(breaches)("%s", (_, policy, found) => {
    test.each(jobs)("while its Job %s is repeated, and the status says what was found", (__, job) => {
      const { message } = scanFailure("seal_broken", found);
      expect(decide(world({ attempts: [withPolicy(job(), policy)] }))).toMatchObject({
        rule: "sealBroken",
        actions: [
          {
            do: "patchStatus",
            status: {
              attempt: 2,
              phase: "Pending",
              conditions: [
                { type: "Accepted" },
                { type: "Sealed", status: "False", reason: "SealBroken", message },
                RECONCILING,
              ],
            },
          },
          { do: "deleteAttempt", attempt: 1 },
        ],
      });
    });

    test("an attempt whose policy is the last one fails the scan as seal_broken", () => {
      const last = settings.maxAttempts;
      expect(decide(world({ attempts: [withPolicy(withJob({}, [{}], last), policy)] }))).toEqual({
        rule: "sealBroken",
        actions: failureRecorded("seal_broken", found),
        decideAgain: true,
      });
    });

    test("while its report was read does not have it recorded", () => {
      const outcome = { status: "completed", report } as const;
      const responses = { report: { attempt: 1, how: "delivered", outcome } } as const;
      expect(decide(world({ attempts: [withPolicy(completeJob(), policy)], responses })).rule).toBe(
        "sealBroken",
      );
    });
  });

  test("an attempt whose policy was changed before there is a Job starts none", () => {
    const attempts = [withPolicy(isolated(), { ...policySeen, isAsMade: false })];
    expect(decide(world({ attempts }))).toMatchObject({
      rule: "sealBroken",
      actions: [{ status: { attempt: 2 } }, { do: "deleteAttempt", attempt: 1 }],
    });
  });

  test("an attempt whose policy is as it was goes on, be its Job of a release that noted no policy", () => {
    expect(decide(world({ attempts: [withJob()] })).rule).toBe("jobRunning");
    expect(decide(world({ attempts: [withJob({ policy: undefined })] })).rule).toBe("jobRunning");
  });
});

describe("the condition Sealed", () => {
  const inPlace = { status: "True", reason: "PolicyInPlace", message: "", lastTransitionTime: now } as const;
  const running: ScanStatus = { phase: "Running", attempt: 1, conditions: [{ type: "Sealed", ...inPlace }] };
  const conditionWritten = (changes: Parameters<typeof world>[0]) =>
    statusWritten(world(changes))?.conditions?.find(({ type }) => type === "Sealed");

  test("the condition Sealed is true while the policy is as it was made", () => {
    expect(conditionWritten({ status: running, attempts: [withJob()] })).toMatchObject({ status: "True" });
  });

  test("the condition Sealed is unknown between two attempts, as the policy goes with its attempt", () => {
    expect(conditionWritten({ status: running, attempts: [failedJob("PodFailurePolicy")] })).toMatchObject({
      status: "Unknown",
      reason: "AwaitingPolicy",
      message: scanFailure("result_lost", "Its pod was evicted.").message,
    });
  });

  test("the condition Sealed is unknown where the policy was deleted before there is a Job", () => {
    const responses = { target: { ok: true, pins } } as const;
    const status = { ...running, phase: "Pending" } as const;
    expect(conditionWritten({ status, responses })).toMatchObject({
      status: "Unknown",
      reason: "AwaitingPolicy",
    });
    const refusal = { what: "Job", message: "exceeded quota", at: at(9) } as const;
    expect(conditionWritten({ status, refusal })).toMatchObject({
      status: "Unknown",
      reason: "AwaitingPolicy",
    });
  });
});

const open = (podSelector: object = {}, createdAt = at(0)): PolicyObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "open", namespace: "glovebox-scans", creationTimestamp: createdAt.toISOString() },
  spec: { podSelector, policyTypes: ["Egress"], egress: [{}] },
});
const refused = {
  rule: "foreignPolicyWidens",
  actions: [
    {
      do: "recordOutcome",
      outcome: {
        status: "failed",
        failure: scanFailure("egress_widened", "The policy is NetworkPolicy glovebox-scans/open."),
      },
    },
  ],
  decideAgain: true,
};
const ended = (seconds: number) => ({
  ...completeJob(),
  job: { ...completeJob().job!, endedAt: at(seconds) },
});

describe("a policy of somebody else's that opens more for the scan's pod", () => {
  test.each<[string, Partial<World>]>([
    ["before the policy is made", { responses: { target: { ok: true, pins } } }],
    ["before the Job is made", { attempts: [isolated()] }],
    ["while the Job runs", { attempts: [withJob()] }],
    ["while the Job has no pod yet", { attempts: [withJob({}, [])] }],
    ["when the report is to be read", { attempts: [completeJob()] }],
    ["when the Job has ended and its pod was deleted", { attempts: [{ ...completeJob(), pods: [] }] }],
  ])("refuses the scan and is named: seen %s", (_, changes) => {
    expect(decide(world({ ...changes, policies: [open()] }))).toEqual(refused);
  });

  test("a policy of somebody else's that opens more for the scan's pod is judged by the labels that its pod has, whoever added them", () => {
    const policies = [open({ matchLabels: { team: "shop" } })];
    const labels = (more: Record<string, string>) => [withJob({}, [{ labels: more }])];
    expect(decide(world({ attempts: [isolated()], policies })).rule).toBe("startJob");
    expect(decide(world({ attempts: labels({ team: "other" }), policies })).rule).toBe("jobRunning");
    expect(decide(world({ attempts: labels({ team: "shop" }), policies }))).toEqual(refused);
  });

  test("a policy of somebody else's that opens more for the scan's pod is judged for each pod of the attempt", () => {
    const policies = [open({ matchLabels: { team: "shop" } })];
    const attempts = [withJob({}, [{}, { labels: { team: "shop" } }])];
    expect(decide(world({ attempts, policies }))).toEqual(refused);
  });

  test("a policy of somebody else's that opens more for the scan's pod by the uid of a Job counts until the Job has another one", () => {
    const policies = [open({ matchLabels: { "controller-uid": "else" } })];
    expect(decide(world({ attempts: [isolated()], policies }))).toEqual(refused);
    expect(decide(world({ attempts: [withJob({}, [])], policies })).rule).toBe("jobRunning");
  });

  test("a policy of somebody else's that opens more for the scan's pod that was made after the Job had ended takes no report away, clocks being a minute apart at most", () => {
    const after = (seconds: number) =>
      decide(world({ attempts: [ended(100)], policies: [open({}, at(seconds))], now: at(300) }));
    expect(after(99)).toEqual(refused);
    expect(after(160)).toEqual(refused);
    expect(after(161).rule).toBe("readReport");
  });

  test("a policy of somebody else's that opens more for the scan's pod that comes while the report is read keeps it from being recorded", () => {
    const report = { attempt: 1, how: "lost", detail: "" } as const;
    expect(decide(world({ attempts: [ended(100)], policies: [open()], responses: { report } }))).toEqual(
      refused,
    );
  });
});
