import {
  ISOLATION_CAUSES,
  type IsolationCause,
  isolationFailure,
  scanFailure,
  SCAN_FAILURE_CODES,
} from "@glovebox/contract";
import { API_VERSION, type ScanStatus } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { FAILED, namesOf, statusWritten } from "../testing/plans.ts";
import {
  at,
  completeJob,
  failedJob,
  podSeen,
  scanResource,
  isolated,
  settings,
  withJob,
  world,
} from "../testing/worlds.ts";
import type { RowState, World } from "../world.ts";

const finishedAt = at(0).toISOString();
const completed: RowState = { state: "completed", score: 88, grade: "B", findings: 3 };
const failed: RowState = { state: "failed", failure: scanFailure("target_timeout") };

/** The Scan was deleted, and nothing kept it. */
const REMOVED = { isDeleted: true, isRemoved: true };

describe("a finished scan", () => {
  test.each<[string, Partial<World>]>([
    ["whose row says otherwise", { row: failed }],
    ["without a row", { row: { state: "absent" } }],
    ["whose Job appears late", { attempts: [withJob()] }],
    ["whose Job failed", { attempts: [failedJob("BackoffLimitExceeded")] }],
    ["past every deadline", { now: at(settings.ttlSeconds - 1) }],
  ])("%s is never rewritten", (_, changes) => {
    const { rule, actions } = decide(world({ status: { finishedAt }, ...changes }));
    expect(rule).toBe("alreadyFinished");
    expect(namesOf(actions)).not.toContain("patchStatus");
  });

  const kept = settings.jobTtlSeconds;

  test("immediately loses what still runs, or never ran, of its attempts", () => {
    const attempts = [completeJob(1), withJob({}, [{}], 2), isolated(3)];
    expect(decide(world({ status: { finishedAt }, attempts })).actions).toEqual([
      { do: "deleteAttempt", attempt: 2 },
      { do: "deleteAttempt", attempt: 3 },
    ]);
  });

  test("keeps what has ended for a while, and then loses it", () => {
    const attempts = [failedJob("Evicted"), completeJob(2)];
    expect(decide(world({ status: { finishedAt }, attempts, now: at(kept - 10) }))).toMatchObject({
      actions: [],
      requeueAfterSeconds: 11,
    });
    expect(decide(world({ status: { finishedAt }, attempts, now: at(kept) })).actions).toEqual([
      { do: "deleteAttempt", attempt: 1 },
      { do: "deleteAttempt", attempt: 2 },
    ]);
  });

  test("a finished scan is given a moment in which what was deleted goes", () => {
    const attempts = [completeJob(1)];
    const look = (deletedAt: Date) =>
      decide(world({ status: { finishedAt }, attempts, now: at(kept + 4), deletedAt }));
    expect(look(at(kept))).toMatchObject({ actions: [], requeueAfterSeconds: 6 });
    expect(namesOf(look(at(kept - 1)).actions)).toEqual(["deleteAttempt"]);
  });

  test("a finished scan has nothing to delete where a pod alone is left, which goes after its Job", () => {
    const attempts = [{ number: 1, pods: [podSeen()] }];
    expect(decide(world({ status: { finishedAt }, attempts }))).toMatchObject({
      actions: [],
      requeueAfterSeconds: expect.any(Number),
    });
  });

  test("a finished scan is looked at again when its time to live is over, and then deleted", () => {
    expect(decide(world({ status: { finishedAt }, now: at(100) }))).toMatchObject({
      actions: [],
      requeueAfterSeconds: settings.ttlSeconds - 100 + 1,
    });
    expect(decide(world({ status: { finishedAt }, now: at(settings.ttlSeconds) }))).toEqual({
      rule: "ttlExpired",
      actions: [{ do: "deleteScan" }],
    });
  });

  test("a finished scan of a schedule is kept, because its schedule deletes it", () => {
    const { metadata, ...rest } = scanResource({ finishedAt });
    const owner = { apiVersion: API_VERSION, kind: "ScanSchedule", name: "shop", uid: "1", controller: true };
    const scan = { ...rest, metadata: { ...metadata, ownerReferences: [owner] } };
    expect(decide(world({ scan, now: at(settings.ttlSeconds) }))).toEqual({
      rule: "alreadyFinished",
      actions: [],
    });
  });

  test("a finished scan that is deleted already is left alone", () => {
    const removed = world({ status: { finishedAt }, ...REMOVED, attempts: [withJob()] });
    expect(decide(removed).actions).toEqual([]);
  });
});

describe("a scan whose row has ended", () => {
  test("takes score, grade and findings from it, and is latched", () => {
    const input = world({ row: completed, attempts: [completeJob()], status: { phase: "Running" } });
    const { rule, actions } = decide(input);
    expect(rule).toBe("reportRecorded");
    expect(namesOf(actions)).toEqual(["patchStatus"]);
    expect(statusWritten(input)).toMatchObject({
      phase: "Completed",
      score: 88,
      grade: "B",
      findings: 3,
      finishedAt: at(10).toISOString(),
      conditions: [
        { type: "Sealed", status: "True", reason: "PolicyInPlace" },
        { type: "IsolationProven", status: "True", reason: "CanaryBlocked" },
        { type: "ReportRecorded", status: "True", reason: "ReportReceived" },
        { type: "Complete", status: "True", reason: "ReportReceived" },
      ],
    });
  });

  test("names the containers that a webhook added, and stops those that still run", () => {
    const pod = { injectedContainers: ["agent", "mesh"] };
    const note = "The pod of the scan has containers that Glovebox did not create: agent, mesh.";
    const ended = (isPodRunning?: true) =>
      withJob({ ended: { how: "complete" }, ...(isPodRunning && { isPodRunning }) }, [pod]);
    const input = world({ row: completed, attempts: [ended(true)] });
    expect(namesOf(decide(input).actions)).toEqual(["patchStatus", "deleteAttempt"]);
    expect(statusWritten(input)?.message).toBe(`The report arrived complete and was recorded. ${note}`);
    expect(namesOf(decide(world({ row: completed, attempts: [ended()] })).actions)).toEqual(["patchStatus"]);

    const row: RowState = { state: "failed", failure: isolationFailure("CanaryReachable") };
    const failed = statusWritten(world({ row, attempts: [ended()] }))!;
    expect(failed).toMatchObject({ reason: "CanaryReachable", message: `${row.failure.message} ${note}` });
  });

  test("a scan whose row has ended as cancelled stops its Job, wherever it is", () => {
    const row: RowState = { state: "failed", failure: scanFailure("cancelled") };
    for (const attempts of [[], [isolated()], [withJob()]]) {
      const { rule, actions } = decide(world({ row, attempts, slot: "waiting" }));
      expect(rule).toBe("cancelled");
      expect(namesOf(actions)).toEqual(["patchStatus", ...attempts.map(() => "deleteAttempt")]);
    }
  });

  test.each(SCAN_FAILURE_CODES)(
    "a scan whose row has ended with %s says so, with a reason for programs",
    (code) => {
      const status = statusWritten(world({ row: { state: "failed", failure: scanFailure(code) } }));
      expect(status).toMatchObject({ phase: "Failed", failure: scanFailure(code) });
      expect(status!.conditions!.slice(-3)).toMatchObject([
        { type: "ReportRecorded", status: "False" },
        ...FAILED,
      ]);
    },
  );

  test.each([
    ["egress_refused", "TargetResolved", "TargetRefused"],
    ["name_not_resolved", "TargetResolved", "NotResolved"],
    ["egress_widened", "Sealed", "ForeignPolicyWidensEgress"],
    ["isolation_not_proven", "IsolationProven", "CanaryReachable"],
  ] as const)(
    "a scan whose row has ended with %s has the condition %s false because of %s",
    (code, type, reason) => {
      const status = statusWritten(world({ row: { state: "failed", failure: scanFailure(code) } }));
      expect(status!.conditions).toContainEqual(expect.objectContaining({ type, status: "False", reason }));
    },
  );

  test.each(Object.keys(ISOLATION_CAUSES) as IsolationCause[])(
    "a scan whose row has ended with isolation_not_proven because of %s has that reason, regardless of its message",
    (cause) => {
      const failure = { ...isolationFailure(cause), message: "Reworded." };
      const { conditions } = statusWritten(world({ row: { state: "failed", failure } }))!;
      expect(conditions!.slice(-4)).toMatchObject([
        { type: "IsolationProven", status: "False", reason: cause },
        { type: "ReportRecorded", status: "False", reason: cause },
        ...FAILED,
      ]);
    },
  );

  test("a scan whose row has ended and that is deleted needs nothing more", () => {
    expect(decide(world({ row: completed, ...REMOVED })).actions).toEqual([]);
  });
});

describe("a scan whose Scan is in another namespace", () => {
  const elsewhere = (status?: ScanStatus) => {
    const scan = scanResource(status);
    return { scan: { ...scan, metadata: { ...scan.metadata, namespace: "team-a" } } };
  };
  const deletions = [{ do: "deleteAttempt", attempt: 1 }];

  test("leaves nothing when it is deleted, as nobody else collects it: finished, ended, or never charged", () => {
    const removed = { ...REMOVED, attempts: [withJob()] };
    expect(decide(world({ ...elsewhere({ finishedAt }), ...removed })).actions).toEqual(deletions);
    expect(decide(world({ ...elsewhere(), ...removed, row: completed })).actions).toEqual(deletions);
    expect(decide(world({ ...elsewhere(), ...removed, row: { state: "absent" } })).actions).toEqual(
      deletions,
    );
    expect(decide(world({ ...elsewhere(), ...removed })).actions).toMatchObject([{ do: "recordOutcome" }]);
  });

  test("a scan whose Scan is in another namespace has its Job deleted in time, and stays itself, whose it is", () => {
    const old = { ...elsewhere({ finishedAt }), now: at(settings.ttlSeconds) };
    expect(decide(world({ ...old, attempts: [completeJob(1)] })).actions).toEqual(deletions);
    expect(decide(world(old))).toEqual({ rule: "alreadyFinished", actions: [] });
    const young = { ...elsewhere({ finishedAt }), now: at(10), attempts: [completeJob(1)] };
    expect(decide(world(young))).toMatchObject({
      actions: [],
      requeueAfterSeconds: settings.jobTtlSeconds - 9,
    });
  });
});

describe("a deleted scan that somebody's finalizer keeps", () => {
  const kept = { isDeleted: true, attempts: [withJob()] };

  test("a deleted scan that somebody's finalizer keeps is recorded as cancelled, its Job ends immediately, and its status says so", () => {
    expect(decide(world(kept)).rule).toBe("scanDeleted");
    const row: RowState = { state: "failed", failure: scanFailure("cancelled") };
    const ended = world({ ...kept, row, status: { phase: "Running" } });
    expect(namesOf(decide(ended).actions)).toEqual(["patchStatus", "deleteAttempt"]);
    expect(statusWritten(ended)).toMatchObject({ phase: "Failed", reason: "Cancelled" });
  });

  test.each<[string, Parameters<typeof world>[0]]>([
    ["that has finished", { status: { finishedAt } }],
    ["that has no row", { row: { state: "absent" } }],
  ])("%s leaves no Job", (_, changes) => {
    expect(namesOf(decide(world({ ...kept, ...changes })).actions)).toEqual(["deleteAttempt"]);
  });
});

describe("a deleted scan", () => {
  test("a deleted scan that was processing is recorded as cancelled", () => {
    expect(decide(world({ isDeleted: true, attempts: [withJob()] }))).toEqual({
      rule: "scanDeleted",
      actions: [{ do: "recordOutcome", outcome: { status: "failed", failure: scanFailure("cancelled") } }],
      decideAgain: true,
    });
  });

  test("a deleted scan that nobody was charged for leaves nothing to do", () => {
    expect(decide(world({ isDeleted: true, row: { state: "absent" } })).actions).toEqual([]);
  });
});
