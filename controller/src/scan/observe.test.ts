import { LABELS, scanIdOf } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import type { Job, NetworkPolicy, Pod } from "../kubernetes/api-client.ts";
import { byLabel, createObjectStore } from "@glovebox/kube";
import { observe } from "./observe.ts";
import { Overlay } from "./overlay.ts";
import { BY_JOB, byJob } from "../kubernetes/ownership.ts";
import { scanResource, settings } from "./testing/worlds.ts";

const { uid: SCAN_UID } = scanResource().metadata;

interface Owner {
  readonly kind: string;
  readonly uid: string;
  readonly controller?: boolean;
}
const object = (name: string, attempt: number, ...ownerReferences: Owner[]) => ({
  metadata: {
    name,
    namespace: "glovebox-scans",
    uid: `uid-of-${name}`,
    labels: { [LABELS.scan]: scanIdOf(scanResource()), [LABELS.attempt]: String(attempt) },
    ownerReferences,
  },
});
const job = (name: string, attempt: number, scanUid = SCAN_UID) =>
  object(name, attempt, { kind: "Scan", uid: scanUid, controller: true }) as unknown as Job;
const pod = (name: string, attempt: number, ...owners: Owner[]) =>
  object(name, attempt, ...owners) as unknown as Pod;
const ofJob = (uid: string): Owner => ({ kind: "Job", uid, controller: true });

/** How many pods are seen of each attempt. */
async function podsSeen(
  jobs: readonly Job[],
  pods: readonly Pod[],
  { jobUid, overlay = new Overlay() }: { jobUid?: string; overlay?: Overlay } = {},
): Promise<Record<number, number>> {
  const byScan = { [LABELS.scan]: byLabel(LABELS.scan) };
  const caches = {
    jobs: createObjectStore<Job>(byScan),
    pods: createObjectStore<Pod>({ [BY_JOB]: byJob }),
    networkPolicies: createObjectStore<NetworkPolicy>(byScan),
    policies: () => [],
    namespaceLabels: () => undefined,
  };
  for (const one of jobs) caches.jobs.put(one);
  for (const one of pods) caches.pods.put(one);
  const scan = scanResource({ attempt: 2, ...(jobUid !== undefined && { jobUid }) });
  const { attempts } = await observe(overlay.of({ scan, isTombstone: false }), {
    caches,
    slots: { slotOf: () => "waiting" },
    findRow: async () => undefined,
    followedAttempt: () => undefined,
    canary: () => undefined,
    namespaceFacts: async () => ({
      uid: "namespace",
      labels: {},
      account: undefined,
      accounts: new Set(),
      targets: undefined,
      identities: new Set<string>(),
    }),
    settings,
    clock: { now: () => new Date(), monotonic: () => 0 },
  });
  return Object.fromEntries(attempts.map(({ number, pods: seen }) => [number, seen.length]));
}

describe("the pods of a scan", () => {
  test("the pods of a scan are those that its Job controls, by the Job's UID", async () => {
    const own = pod("own", 2, ofJob("uid-of-job"));
    expect(await podsSeen([job("job", 2)], [own])).toEqual({ 2: 1 });
  });

  test.each<[string, Owner[]]>([
    ["nobody", []],
    ["a Job that does not exist", [ofJob("invented")]],
    ["another Scan's Job, which has our labels", [ofJob("uid-of-foreign")]],
    ["something else that has the UID of our Job", [{ ...ofJob("uid-of-job"), kind: "ReplicaSet" }]],
    ["our Job, but not as its controller", [{ kind: "Job", uid: "uid-of-job" }]],
  ])("the pods of a scan are none that carry its labels and are owned by %s", async (_, owners) => {
    const jobs = [job("job", 2), job("foreign", 2, "another-scan")];
    expect(await podsSeen(jobs, [pod("forged", 2, ...owners), pod("older", 1, ...owners)])).toEqual({ 2: 0 });
  });

  test("the pods of a scan are seen until they are deleted when the Job of the attempt before was deleted, by its UID in the status", async () => {
    const left = pod("left", 1, ofJob("uid-of-gone"));
    expect(await podsSeen([], [left], { jobUid: "uid-of-gone" })).toEqual({ 1: 1 });
    expect(await podsSeen([], [left], { jobUid: "uid-of-another" })).toEqual({});
    expect(await podsSeen([], [left])).toEqual({});
  });

  test("the pods of a scan are seen until they are deleted when their Job vanished after it was seen", async () => {
    const [overlay, left] = [new Overlay(), pod("left", 2, ofJob("uid-of-job"))];
    expect(await podsSeen([job("job", 2)], [left], { overlay })).toEqual({ 2: 1 });
    expect(await podsSeen([], [left, pod("forged", 2, ofJob("invented"))], { overlay })).toEqual({ 2: 1 });
  });
});
