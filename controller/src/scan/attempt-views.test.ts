import { describe, expect, test } from "vitest";
import { trimPod } from "../caches/caches.ts";
import type { Job, NetworkPolicy, Pod } from "../kubernetes/api-client.ts";
import { attemptViews as viewsOf, type ObjectsOfScan } from "./attempt-views.ts";
import { jobView } from "../kubernetes/job-view.ts";
import { podView } from "../kubernetes/pod-view.ts";
import { policyManifest } from "./manifests.ts";
import { PART, pins } from "./testing/worlds.ts";

const attemptViews = (objects: ObjectsOfScan) => viewsOf(objects, podView);
const AT = "2026-11-21T12:00:00Z";
const labelled = (attempt: string, annotations = {}) => ({
  metadata: { creationTimestamp: AT, labels: { "glovebox.dev/attempt": attempt }, annotations },
});
const policy = (attempt: string, pins: string) =>
  labelled(attempt, { "glovebox.dev/pins": pins }) as unknown as NetworkPolicy;
const job = (conditions: object[]) => ({ ...labelled("1"), status: { conditions } }) as unknown as Job;
const pod = (status: object) => ({ ...labelled("1"), status }) as unknown as Pod;

describe("attempts", () => {
  test("attempts are in ascending order, each with what is seen of it", () => {
    const views = attemptViews({
      policies: [policy("10", JSON.stringify(pins)), policy("2", "[]")],
      jobs: [job([])],
      pods: [pod({})],
    });
    expect(views).toMatchObject([
      { number: 1, job: {}, pods: [{}] },
      { number: 2, policy: { pins: [] } },
      { number: 10, policy: { pins } },
    ]);
  });

  test.each(["", "0", "-1", "1e3", "x"])("attempts are none for an object whose label says %j", (attempt) => {
    expect(attemptViews({ policies: [policy(attempt, "[]")], jobs: [], pods: [] })).toEqual([]);
  });

  test.each(["no JSON", "{}", '[{"host":1}]'])(
    "attempts have no pins where they cannot be read: %s",
    (text) => {
      expect(attemptViews({ policies: [policy("1", text)], jobs: [], pods: [] })[0]?.policy).toMatchObject({
        pins: [],
        isAsMade: false,
      });
    },
  );
});

describe("the policy of an attempt", () => {
  const { metadata, spec } = policyManifest({ ...PART, attempt: 1, pins });
  /** As the API server keeps it: with an identity, and without lists that are empty. */
  const { ingress: _, ...kept } = spec!;
  const seen = (changes: object = {}, annotations = metadata!.annotations) => {
    const object = {
      metadata: { ...metadata, annotations, uid: "a-policy", generation: 1 },
      spec: { ...kept, ...changes },
    } as unknown as NetworkPolicy;
    return attemptViews({ policies: [object], jobs: [], pods: [] })[0]!.policy!;
  };

  test("the policy of an attempt has its uid and generation for a version", () => {
    expect(seen().version).toBe("a-policy/1");
  });

  test.each<[string, object, boolean]>([
    ["as the API server keeps it", {}, true],
    ["with an empty list written out", { ingress: [] }, true],
    ["with its types in another order", { policyTypes: ["Egress", "Ingress"] }, true],
    ["that selects nothing", { podSelector: { matchLabels: { no: "pod" } } }, false],
    ["that selects more", { podSelector: {} }, false],
    ["without egress among its types", { policyTypes: ["Ingress"] }, false],
    ["without types", { policyTypes: undefined }, false],
    ["that lets everything in", { ingress: [{}] }, false],
    ["that lets everything out", { egress: [{}] }, false],
    ["that lets nothing out", { egress: [] }, false],
    ["that lets out to one rule less", { egress: kept.egress!.slice(1) }, false],
  ])("%s is as it was made: %s", (_name, changes, expected) => {
    expect(seen(changes).isAsMade).toBe(expected);
  });

  test("the policy of an attempt is not as it was made where its pins are others", () => {
    expect(seen({}, { "glovebox.dev/pins": JSON.stringify(pins.slice(1)) }).isAsMade).toBe(false);
  });
});

describe("a Job", () => {
  test.each<[string, object[], object | undefined]>([
    ["has not ended without a condition", [], undefined],
    ["has not ended when it is about to fail", [{ type: "FailureTarget", status: "True" }], undefined],
    ["has not ended when the condition is false", [{ type: "Complete", status: "False" }], undefined],
    ["is complete", [{ type: "Complete", status: "True" }], { how: "complete" }],
    [
      "has failed for a reason",
      [{ type: "Failed", status: "True", reason: "DeadlineExceeded", message: "m" }],
      { how: "failed", reason: "DeadlineExceeded", message: "m" },
    ],
  ])("%s", (_, conditions, ended) => {
    expect(jobView(job(conditions)).ended).toEqual(ended);
  });

  test("says which policy it was started with, and when it ended", () => {
    const conditions = [{ type: "Complete", status: "True", lastTransitionTime: AT }];
    const object = { ...labelled("1", { "glovebox.dev/policy": "a-policy/1" }), status: { conditions } };
    expect(jobView(object as unknown as Job)).toMatchObject({
      policy: "a-policy/1",
      endedAt: new Date(AT),
    });
  });

  const note = { instance: "a", ageMs: 7, endpoints: [{ address: "10.0.0.9", port: 8099 }] };
  test.each<[string, Record<string, string>, typeof note | undefined]>([
    ["which canary it was started beside", { "glovebox.dev/canary": JSON.stringify(note) }, note],
    ["none where it has none, as the Scans of earlier versions", {}, undefined],
    ["none where it cannot be read", { "glovebox.dev/canary": "{" }, undefined],
  ])("says %s", (_, annotations, expected) => {
    expect(jobView(labelled("1", annotations) as unknown as Job).canary).toEqual(expected);
  });

  test.each([
    ["none was counted", {}, undefined],
    ["one is active", { active: 1 }, true],
    ["one has failed", { active: 0, failed: 1 }, true],
    ["one is about to go", { terminating: 1 }, true],
  ])("a Job has had a pod or not: %s", (_, status, hadPod) => {
    expect(jobView({ status }).hadPod).toBe(hadPod);
  });
});

describe("a pod", () => {
  test("a pod is seen with its labels and its service account, which stay when it is trimmed", () => {
    const object = {
      metadata: { labels: { team: "shop" }, annotations: { large: "order" } },
      spec: { containers: [{ name: "scanner" }], serviceAccountName: "scanner" },
    } as unknown as Pod;
    const trimmed = trimPod(object);
    expect(JSON.stringify(trimmed)).not.toMatch(/order|containers":\[\{/);
    expect(podView(trimmed)).toMatchObject({ labels: { team: "shop" }, serviceAccount: "scanner" });
  });

  const condition = (type: string, status: string, reason?: string) => ({
    type,
    status,
    reason,
    lastTransitionTime: AT,
  });
  test.each<[string, object, object]>([
    [
      "for which no node fits",
      { conditions: [condition("PodScheduled", "False", "Unschedulable")] },
      { isUnschedulable: true },
    ],
    [
      "that waits for its gates",
      { conditions: [condition("PodScheduled", "False", "SchedulingGated")] },
      { isUnschedulable: false },
    ],
    [
      "whose container waits",
      { containerStatuses: [{ name: "scanner", state: { waiting: { reason: "ErrImagePull" } } }] },
      { waitingReason: "ErrImagePull", isRunning: false },
    ],
    [
      "whose container runs",
      { containerStatuses: [{ name: "scanner", state: { running: { startedAt: AT } } }] },
      { isRunning: true, waitingReason: undefined },
    ],
    [
      "whose container ran out of memory",
      { containerStatuses: [{ name: "scanner", state: { terminated: { reason: "OOMKilled" } } }] },
      { terminatedReason: "OOMKilled" },
    ],
    [
      "that has ended with addresses of both families",
      {
        podIPs: [{ ip: "10.1.0.3" }, { ip: "fd00::3" }],
        containerStatuses: [{ name: "scanner", state: { terminated: { reason: "Completed" } } }],
      },
      { families: ["IPv4", "IPv6"] },
    ],
    ["that has an address and goes on", { podIP: "10.1.0.3" }, { families: undefined }],
    [
      "that was stopped at its deadline",
      { phase: "Failed", reason: "DeadlineExceeded" },
      { failedReason: "DeadlineExceeded" },
    ],
    [
      "whose node is silent",
      { conditions: [condition("Ready", "False"), condition("ContainersReady", "True")] },
      { isLost: true },
    ],
    [
      "that has ended",
      { conditions: [condition("Ready", "False"), condition("ContainersReady", "False")] },
      { isLost: false },
    ],
  ])("%s", (_, status, view) => {
    expect(podView(pod(status))).toMatchObject(view);
  });
});

describe("a pod to which an admission webhook added a container", () => {
  const exited = (exitCode: number) => ({ terminated: { exitCode, reason: "Ended", finishedAt: AT } });
  const podWith = (scanner: object, agent: object = { running: {} }) =>
    pod({
      initContainerStatuses: [{ name: "mesh-init", state: exited(0) }],
      containerStatuses: [
        { name: "agent", state: agent },
        { name: "scanner", state: scanner },
      ],
    });
  const jobOf = (conditions: object[], ...pods: Pod[]) =>
    attemptViews({ policies: [], jobs: [job(conditions)], pods })[0]!.job!;

  test("a pod to which an admission webhook added a container is judged by the scanner, and the containers are named", () => {
    expect(podView(podWith({ running: {} }))).toMatchObject({ isRunning: true, exit: undefined });
    expect(podView(podWith(exited(0))).injectedContainers).toEqual(["agent", "mesh-init"]);
    expect(podView(pod({ containerStatuses: [{ name: "scanner", state: exited(0) }] }))).toMatchObject({
      injectedContainers: [],
    });
  });

  test("ends its Job when the scanner has exited, although the pod runs on", () => {
    const at = new Date(AT);
    const complete = { ended: { how: "complete" }, endedAt: at, isPodRunning: true };
    expect(jobOf([], podWith(exited(0)))).toMatchObject(complete);
    expect(jobOf([], podWith(exited(1)))).toMatchObject({
      ended: { how: "failed", reason: "BackoffLimitExceeded" },
      isPodRunning: true,
    });
    expect(jobOf([], podWith({ running: {} })).ended).toBeUndefined();
    const unknown = { terminated: { exitCode: 0, finishedAt: null } };
    expect(jobOf([], podWith(unknown))).toMatchObject({ ended: { how: "complete" }, endedAt: undefined });
  });

  test("a pod to which an admission webhook added a container has completed if the scanner has, although the other container failed the Job", () => {
    const failed = [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: "" }];
    const complete = jobOf(failed, podWith(exited(0), exited(1)));
    expect(complete.ended).toEqual({ how: "complete" });
    expect(complete.isPodRunning).toBeUndefined();
    const deadline = [{ type: "Failed", status: "True", reason: "DeadlineExceeded", message: "" }];
    expect(jobOf(deadline, podWith(exited(137))).ended).toMatchObject({ reason: "DeadlineExceeded" });
  });

  test("a pod to which an admission webhook added a container of which the scanner is the only container waits for the end of its Job", () => {
    expect(
      jobOf([], pod({ containerStatuses: [{ name: "scanner", state: exited(0) }] })).ended,
    ).toBeUndefined();
  });
});

test("a Job that somebody suspended is seen as such", () => {
  expect(jobView(job([{ type: "Suspended", status: "True" }])).isSuspended).toBe(true);
  expect(jobView(job([{ type: "Suspended", status: "False" }])).isSuspended).toBeUndefined();
});
