import { scanFailure } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { attemptDeadlineSeconds, scanDeadlineSeconds } from "../settings.ts";
import { failureRecorded, namesOf, RECONCILING } from "../testing/plans.ts";
import {
  SCAN_ID,
  at,
  canary,
  completeJob,
  pins,
  podSeen,
  policySeen,
  isolated,
  settings,
  withJob,
  world,
} from "../testing/worlds.ts";
import type { World } from "../world.ts";

const resolved = { target: { ok: true, pins } } as const;
const running: ScanStatus = { phase: "Running", attempt: 1, startedAt: at(0).toISOString() };

describe("an object that the API server refuses", () => {
  const refusedAt = (seconds: number) =>
    ({ what: "Job", message: "exceeded quota: scans", at: at(seconds) }) as const;
  const why = "The API server rejects its Job: exceeded quota: scans";
  const conditionAt = (seconds: number) => ({
    type: "ReportRecorded" as const,
    status: "Unknown" as const,
    reason: "CouldNotStart" as const,
    message: why,
    lastTransitionTime: at(seconds).toISOString(),
  });

  test("an object that the API server refuses is said, and tried again soon", () => {
    expect(decide(world({ status: running, attempts: [isolated()], refusal: refusedAt(10) }))).toMatchObject({
      rule: "creationRefused",
      actions: [
        {
          do: "patchStatus",
          status: { phase: "Pending", attempt: 1, conditions: [{}, conditionAt(10), RECONCILING] },
        },
      ],
      requeueAfterSeconds: 16,
    });
  });

  test("an object that the API server refuses is given up after as long as a Job may wait for its pod, with what the API server says", () => {
    const status = { ...running, conditions: [conditionAt(0)] };
    const after = (seconds: number) =>
      decide(world({ status, attempts: [isolated()], refusal: refusedAt(seconds), now: at(seconds) }));
    expect(after(settings.podWaitSeconds)).toHaveProperty("requeueAfterSeconds");
    expect(after(settings.podWaitSeconds + 1).actions).toEqual(failureRecorded("could_not_start", why));
  });

  test("an object that the API server refuses is not tried again before a quarter of a minute has passed, regardless of events", () => {
    const status = { ...running, phase: "Pending" as const, conditions: [conditionAt(0)] };
    const after = (seconds: number) =>
      decide(world({ status, attempts: [isolated()], refusal: refusedAt(0), now: at(seconds) }));
    expect(after(14)).toMatchObject({ rule: "creationRefused" });
    expect(namesOf(after(14).actions)).not.toContain("createJob");
    expect(namesOf(after(15).actions)).toContain("createJob");
  });

  test("an object that the API server refuses and is taken later is not spoken of any more", () => {
    const status = { ...running, conditions: [conditionAt(0)] };
    const [patch] = decide(world({ status, attempts: [withJob()] })).actions;
    expect(patch).toMatchObject({
      status: { conditions: [{ type: "Accepted", status: "True" }, RECONCILING] },
    });
  });
});

describe("the queue", () => {
  test("keeps a scan without a slot pending, says so, and sets a timer for the end of its patience only", () => {
    expect(decide(world({ slot: "waiting" }))).toMatchObject({
      rule: "waitingForSlot",
      actions: [{ do: "patchStatus", status: { phase: "Pending" } }],
      requeueAfterSeconds: settings.queueSeconds - 10 + 1,
    });
  });

  test("the queue is not written down a second time", () => {
    const [patch] = decide(world({ slot: "waiting" })).actions;
    const status = (patch as { status: ScanStatus }).status;
    expect(decide(world({ slot: "waiting", status })).actions).toEqual([]);
  });

  test("the queue that has no turn in time fails the scan", () => {
    const late = world({ slot: "waiting", now: at(settings.queueSeconds) });
    expect(decide(late).actions).toEqual(
      failureRecorded("could_not_start", "It waited too long in the queue."),
    );
  });

  test("the queue does not hold up a scan that already runs", () => {
    expect(decide(world({ slot: "waiting", attempts: [withJob()] })).rule).toBe("jobRunning");
  });
});

describe("the target", () => {
  test("the target is resolved when there is a slot and no policy yet", () => {
    expect(decide(world())).toEqual({
      rule: "resolveTarget",
      actions: [{ ask: "resolveTarget" }],
      decideAgain: true,
    });
  });

  test.each([
    ["targetRefused", "egress_refused"],
    ["targetUnresolved", "name_not_resolved"],
  ] as const)("the target that ends as %s fails the scan with %s and no Job", (rule, code) => {
    const failure = scanFailure(code, "Why.");
    expect(decide(world({ responses: { target: { ok: false, failure } } }))).toEqual({
      rule,
      actions: failureRecorded(code, "Why."),
      decideAgain: true,
    });
  });

  test("the target that is a Service has its endpoints in the policy, and not in the order", () => {
    const pin = { host: "shop.team.svc", addresses: ["10.96.0.7"], ports: [443] };
    const policy = {
      ...isolated().policy!,
      pins: [{ ...pin, backends: [{ address: "10.1.0.5", port: 8443 }] }],
    };
    const { actions } = decide(world({ attempts: [{ ...isolated(), policy }] }));
    expect(actions).toContainEqual(
      expect.objectContaining({ do: "createJob", order: expect.objectContaining({ pins: [pin] }) }),
    );
  });

  test("the target is not resolved again once a policy pins it", () => {
    expect(decide(world({ attempts: [isolated()] })).rule).toBe("startJob");
  });
});

describe("the isolation", () => {
  test("comes before the pod: a plan makes the policy alone", () => {
    expect(decide(world({ responses: resolved }))).toEqual({
      rule: "policyBeforePod",
      actions: [{ do: "createPolicy", attempt: 1, pins }],
      requeueAfterSeconds: expect.any(Number),
    });
  });
});

describe("the Job", () => {
  test("the Job is started from what is on record, after the status announces it", () => {
    const { rule, actions, requeueAfterSeconds } = decide(world({ attempts: [isolated()] }));
    expect([rule, requeueAfterSeconds]).toEqual(["startJob", expect.any(Number)]);
    expect(namesOf(actions)).toEqual(["patchStatus", "createJob"]);
    expect(actions[0]).toMatchObject({
      status: { phase: "Running", attempt: 1, startedAt: expect.any(String) },
    });
    expect(actions[1]).toEqual({
      do: "createJob",
      attempt: 1,
      policy: policySeen.version,
      order: {
        scanId: SCAN_ID,
        url: "https://api.shop.example/v1",
        spec: { from: "url", url: "https://docs.shop.example/openapi.json" },
        context: "financial",
        pins,
        isolation: {
          canaries: canary.endpoints,
          controlEndpoints: [],
          waitSeconds: settings.isolationWaitSeconds,
        },
        limits: settings.limits,
      },
      canary,
    });
  });

  test("the Job of a target with very many addresses says in the status to how many the scan is held", () => {
    const [first, ...others] = pins;
    const policy = { ...policySeen, pins: [{ ...first!, omitted: 30 }, ...others] };
    const [patch] = decide(world({ attempts: [{ ...isolated(), policy }] })).actions;
    expect((patch as { status: ScanStatus }).status.conditions).toContainEqual(
      expect.objectContaining({
        type: "TargetResolved",
        message: "The host api.shop.example has 32 addresses; the scan used 2 of them.",
      }),
    );
  });

  test("the Job is told where nobody is, where that can tell isolation from a canary that died", () => {
    const controlEndpoints = [{ address: "192.0.2.1", port: 8099 }];
    const { actions } = decide(
      world({ attempts: [isolated()], settings: { ...settings, controlEndpoints } }),
    );
    expect(actions).toContainEqual(
      expect.objectContaining({
        order: expect.objectContaining({ isolation: expect.objectContaining({ controlEndpoints }) }),
      }),
    );
  });

  test("the Job is not started while no canary is known to be reachable, which is said, and looked at again soon", () => {
    expect(decide(world({ attempts: [isolated()], canary: undefined }))).toMatchObject({
      rule: "noCanary",
      actions: [
        {
          do: "patchStatus",
          status: {
            phase: "Pending",
            conditions: [{}, { type: "IsolationProven", status: "Unknown", reason: "NoCanary" }, RECONCILING],
          },
        },
      ],
      requeueAfterSeconds: 3,
    });
  });

  test("the Job that found a canary after all says no more that there was none", () => {
    const [patch] = decide(world({ attempts: [isolated()], canary: undefined })).actions;
    const { status } = patch as { status: ScanStatus };
    const [next] = decide(world({ status, attempts: [withJob()] })).actions;
    expect((next as { status: ScanStatus }).status.conditions).toMatchObject([
      { type: "Accepted" },
      RECONCILING,
    ]);
  });

  test("the Job that runs does not need another canary", () => {
    expect(decide(world({ attempts: [withJob()], canary: undefined })).rule).toBe("jobRunning");
  });

  test("the Job that was announced and is not there is made after all, in the same attempt", () => {
    expect(decide(world({ status: running, attempts: [isolated()] }))).toMatchObject({
      actions: [
        { do: "patchStatus", status: { attempt: 1 } },
        { do: "createJob", attempt: 1 },
      ],
      requeueAfterSeconds: expect.any(Number),
    });
  });

  test("the Job that was refused is not said to run before it is seen", () => {
    const refusal = { what: "Job", message: "exceeded quota", at: at(0) } as const;
    const [patch] = decide(world({ now: at(60), refusal, attempts: [isolated()] })).actions;
    expect(patch).toMatchObject({ status: { phase: "Pending", attempt: 1 } });
    const attempts = [withJob({}, [{ isRunning: true }])];
    const [next] = decide(world({ now: at(60), refusal, attempts })).actions;
    expect(next).toMatchObject({ status: { phase: "Running", attempt: 1 } });
  });

  test.each<[string, Partial<World>]>([
    ["this controller made it or saw it", { madeAttempt: 1, attempts: [isolated()] }],
    ["its pod is still there", { attempts: [{ ...isolated(), pods: [podSeen()] }] }],
  ])("the Job that is not seen is asked for before it is given up, as %s", (_, evidence) => {
    const started = { status: running, ...evidence };
    expect(decide(world(started)).actions).toEqual([{ ask: "confirmJob", attempt: 1 }]);
    const exists = { responses: { liveJob: { attempt: 1, exists: true } } };
    expect(decide(world({ ...started, ...exists }))).toMatchObject({
      actions: [],
      requeueAfterSeconds: expect.any(Number),
    });
    const missing = { responses: { liveJob: { attempt: 1, exists: false } }, seenJobUid: "job-1" };
    expect(decide(world({ ...started, ...missing }))).toMatchObject({
      rule: "jobVanished",
      actions: [
        { do: "patchStatus", status: { attempt: 2, phase: "Pending", jobUid: "job-1" } },
        { do: "deleteAttempt", attempt: 1 },
      ],
    });
  });

  test("the Job of the next attempt does not wait for what a silent node still shows of the one before", () => {
    const next = { status: { ...running, attempt: 2, phase: "Pending" } as const };
    const left = (lostSince: Date | undefined, rest: object = {}): World =>
      world({
        ...next,
        now: at(settings.nodeLostSeconds + 1),
        attempts: [{ number: 1, pods: [podSeen({ lostSince })], ...rest }, isolated(2)],
      });
    expect(decide(left(at(0))).rule).toBe("startJob");
    for (const waiting of [left(undefined), left(at(5)), left(at(0), { job: { createdAt: at(0) } })])
      expect(decide(waiting).rule).toBe("olderAttempts");
  });

  test("the Job of the next attempt waits until the one before was deleted", () => {
    const next = { status: { ...running, attempt: 2, phase: "Pending" } as const };
    for (const older of [isolated(), withJob(), completeJob()]) {
      const { rule, actions } = decide(world({ ...next, attempts: [older, isolated(2)] }));
      expect(rule).toBe("olderAttempts");
      expect(actions[0]).toEqual({ do: "deleteAttempt", attempt: 1 });
      expect(namesOf(actions)).not.toContain("createJob");
    }
    expect(decide(world({ ...next, attempts: [isolated(2)] })).actions).toContainEqual(
      expect.objectContaining({ do: "createJob", attempt: 2 }),
    );
  });
});

describe("the watchdog", () => {
  const past = at(attemptDeadlineSeconds(settings) + 1);
  test("ends a scan whose Job outlives its deadline and grace", () => {
    expect(decide(world({ attempts: [withJob()], now: past }))).toEqual({
      rule: "watchdog",
      actions: failureRecorded("deadline_exceeded"),
      decideAgain: true,
    });
  });

  test("ends a scan whose complete Job could not be read in all that time as lost", () => {
    expect(decide(world({ attempts: [completeJob()], now: past })).actions).toEqual(
      failureRecorded("result_lost"),
    );
  });

  test("ends a scan that is older than any scan may be, even without a Job", () => {
    const now = at(scanDeadlineSeconds(settings) + 1);
    expect(decide(world({ slot: "waiting", now })).rule).toBe("watchdog");
  });

  test("leaves a Job within its deadline alone", () => {
    const now = at(attemptDeadlineSeconds(settings));
    const attempts = [withJob({}, [{ isRunning: true }])];
    expect(decide(world({ attempts, now })).rule).toBe("jobRunning");
  });
});
