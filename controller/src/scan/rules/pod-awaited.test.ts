import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { failureRecorded, statusWritten } from "../testing/plans.ts";
import { START, at, settings, withJob, world } from "../testing/worlds.ts";
import type { PodView } from "../../kubernetes/pod-view.ts";
import type { World } from "../world.ts";

const { podWaitSeconds, startSeconds, unschedulableSeconds } = settings;
const waits = (waitingReason: string): Partial<PodView> => ({ waitingReason });
const pullBound = unschedulableSeconds + startSeconds;
const toldAt = (seconds: number, note?: string, reason = "Failed"): Partial<World> => ({
  explanation: { attempt: 1, warning: note === undefined ? undefined : { reason, note }, at: at(seconds) },
});
const recorded = (detail: string) => ({
  rule: "podCannotStart",
  actions: failureRecorded("could_not_start", detail),
  decideAgain: true,
});
const conditionWritten = (changes: Parameters<typeof world>[0]) =>
  statusWritten(world(changes))?.conditions?.find(({ type }) => type === "ReportRecorded");

const OBSTACLES: [string, Partial<PodView>[], number][] = [
  ["ErrImagePull", [waits("ErrImagePull")], pullBound],
  ["CreateContainerError", [waits("CreateContainerError")], pullBound],
  ["ContainerCreating", [waits("ContainerCreating")], pullBound],
  ["SomethingThatKubernetesMayYetInvent", [waits("SomethingThatKubernetesMayYetInvent")], pullBound],
  ["NotStarted", [{}], pullBound],
  ["Unschedulable", [{ unschedulableSince: START }], unschedulableSeconds],
  ["NoPodCreated", [], podWaitSeconds],
];

describe("a pod that is not there, or does not start", () => {
  test.each(OBSTACLES)(
    "a pod that is not there, or does not start for %s is waited for, and after a bound the scan fails and says so",
    (reason, pods, bound) => {
      const attempts = [withJob({}, pods)];
      expect(decide(world({ attempts, now: at(bound), ...toldAt(bound) })).rule).toBe("jobRunning");
      const now = at(bound + 1);
      expect(decide(world({ attempts, now, ...toldAt(bound) }))).toEqual(recorded(`Reason: ${reason}.`));
      expect(decide(world({ attempts, now, ...toldAt(bound, "exceeded quota: pods") }))).toEqual(
        recorded(`Reason: ${reason}: exceeded quota: pods`),
      );
    },
  );

  test.each(OBSTACLES)(
    "a pod that is not there, or does not start for %s is explained by Kubernetes before the scan fails",
    (_, pods, bound) => {
      const late = { attempts: [withJob({}, pods)], now: at(bound + 1) };
      const question = { ask: "explainWait", attempt: 1, ...(pods.length > 0 && { pod: "pod" }) };
      expect(decide(world(late)).actions).toEqual([question]);
      expect(decide(world({ ...late, ...toldAt(bound - 60, "of long ago") })).actions).toEqual([question]);
    },
  );

  test.each(["InvalidImageName", "ErrImageNeverPull", "CreateContainerConfigError"])(
    "a pod that is not there, or does not start for %s, which no waiting cures, fails the scan immediately",
    (reason) => {
      const input = world({ attempts: [withJob({}, [waits(reason)])], now: at(1), ...toldAt(1) });
      expect(decide(input).rule).toBe("podCannotStart");
    },
  );

  test("a pod that is not there, or does not start is nothing unusual at first, and nobody is asked", () => {
    for (const pods of [[], [{}], [waits("ContainerCreating")]]) {
      const { rule, requeueAfterSeconds } = decide(world({ attempts: [withJob({}, pods)], now: at(19) }));
      expect([rule, requeueAfterSeconds]).toEqual(["jobRunning", 2]);
      expect(conditionWritten({ attempts: [withJob({}, pods)], now: at(19) })).toBeUndefined();
    }
  });

  test("a pod that is not there, or does not start for longer than normal is asked about once a minute, regardless of events", () => {
    const attempts = [withJob({}, [])];
    expect(decide(world({ attempts, now: at(20) })).rule).toBe("waitUnexplained");
    const later = decide(world({ attempts, now: at(79), ...toldAt(20) }));
    expect([later.rule, later.requeueAfterSeconds]).toEqual(["jobRunning", 61]);
    expect(decide(world({ attempts, now: at(80), ...toldAt(20) })).rule).toBe("waitUnexplained");
    const other = { explanation: { attempt: 2, warning: undefined, at: at(79) } };
    expect(decide(world({ attempts, now: at(79), ...other })).rule).toBe("waitUnexplained");
  });

  test.each<[string, Partial<PodView>[], string, string]>([
    ["no pod", [], "NoPodCreated", "Its Job has no pod yet: no room"],
    [
      "a pod to which a webhook added a container",
      [{ ...waits("PodInitializing"), injectedContainers: ["mesh-init"] }],
      "PodNotStarted",
      "Its pod has not started yet (PodInitializing): no room The pod of the scan has a container that Glovebox did not create: mesh-init.",
    ],
    [
      "a pod that waits",
      [waits("ContainerCreating")],
      "PodNotStarted",
      "Its pod has not started yet (ContainerCreating): no room",
    ],
  ])(
    "a pod that is not there, or does not start is said in the status, with the words of Kubernetes: %s",
    (_, pods, reason, message) => {
      const waiting = { attempts: [withJob({}, pods)], now: at(30), ...toldAt(30, "no room") };
      expect(conditionWritten(waiting)).toMatchObject({ status: "Unknown", reason, message });
    },
  );

  test("a pod that is not there, or does not start for a volume that cannot be mounted is said with a reason of its own, until it is mounted", () => {
    const note = 'MountVolume.SetUp failed for volume "identities" : secret "shop-users" not found';
    const attempts = [withJob({}, [waits("ContainerCreating")])];
    const waiting = { attempts, now: at(30), ...toldAt(30, note, "FailedMount") };
    expect(conditionWritten(waiting)).toMatchObject({
      status: "Unknown",
      reason: "VolumeNotMounted",
      message: `Its pod has not started yet (ContainerCreating): ${note}`,
    });
    const running = {
      attempts: [withJob({ hadPod: true }, [{ isRunning: true }])],
      status: statusWritten(world(waiting))!,
    };
    expect(conditionWritten(running)).toBeUndefined();
    const late = decide(
      world({ attempts, now: at(pullBound + 1), ...toldAt(pullBound, note, "FailedMount") }),
    );
    expect(late).toEqual(recorded(`Reason: ContainerCreating: ${note}`));
  });

  test("a pod that is not there, or does not start of a Job that was suspended is said to be that", () => {
    const waiting = { attempts: [withJob({ isSuspended: true }, [])], now: at(30), ...toldAt(30) };
    expect(conditionWritten(waiting)?.message).toMatch(/^Its Job has no pod, because it was suspended/);
  });

  test("a pod that is not there, or does not start is not spoken of any more once it has started, or the attempt is another", () => {
    const attempts = [withJob({}, [])];
    const status = statusWritten(world({ attempts, now: at(30), ...toldAt(30) }))!;
    const running = {
      attempts: [withJob({ hadPod: true }, [{ isRunning: true }])],
      status,
      followedAttempt: 1,
    };
    expect(decide(world(running)).actions[0]).toMatchObject({ do: "patchStatus" });
    expect(conditionWritten(running)).toBeUndefined();
    expect(
      conditionWritten({ attempts: [], status, responses: { liveJob: { attempt: 1, exists: false } } }),
    ).toBeUndefined();
  });

  test("a pod that is not there, or does not start and was deleted long after it started is not one that was never there", () => {
    const job = (had: { hadPod?: true }) => [withJob(had, [])];
    const late = { now: at(podWaitSeconds + 1), ...toldAt(podWaitSeconds) };
    expect(decide(world({ attempts: job({}), ...late })).rule).toBe("podCannotStart");
    expect(decide(world({ attempts: job({ hadPod: true }), ...late })).rule).toBe("jobRunning");
  });
});
