import type { Job, Pod } from "../../kubernetes/api-client.ts";
import { canary } from "./worlds.ts";

/** What its pod has come to, besides being there. */
export interface SimulatedPod {
  readonly isRunning?: true;
  readonly isUnschedulable?: true;
  /** Its node is unreachable. */
  readonly isLost?: true;
  /** Why its container waits. */
  readonly waitingReason?: string;
  /** Why its container ended. */
  readonly terminatedReason?: string;
}

/** A Job as the API server has it; absent fields have not happened. */
export interface SimulatedJob {
  /** As it was created. */
  readonly manifest: Job;
  readonly createdAt: Date;
  readonly pod?: SimulatedPod | undefined;
  readonly hadPod?: true;
  /** "Complete", or the reason of its failure. */
  readonly ended?: string;
  /** What its pod's log will be found to hold. */
  readonly log: "report" | "failure" | "refused" | "cut";
  /** Its canary has died since it was made. */
  readonly hasLostCanary?: true;
  /** Deleted, and there until its pod has ended. */
  readonly isGoing?: true;
}

const uidOf = ({ manifest }: SimulatedJob): string => `uid-of-${manifest.metadata!.name}`;

export const jobObject = memoized((job: SimulatedJob): Job => {
  const { manifest, createdAt, hadPod, ended } = job;
  const type = ended === "Complete" ? "Complete" : "Failed";
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      uid: uidOf(job),
      creationTimestamp: createdAt.toISOString(),
    },
    status: {
      ...(hadPod && { active: 1 }),
      ...(ended !== undefined && { conditions: [{ type, status: "True", reason: ended, message: "" }] }),
    },
  };
});

/** The pods that the Job has. */
export const podObjects = memoized((job: SimulatedJob): Pod[] => {
  const { manifest, pod } = job;
  if (!pod) return [];
  const uid = uidOf(job);
  const name = manifest.metadata!.name!;
  return [
    {
      metadata: {
        name: "pod",
        uid: `pod-of-${uid}`,
        creationTimestamp: job.createdAt.toISOString(),
        labels: { ...manifest.spec!.template.metadata!.labels, "job-name": name, "controller-uid": uid },
        ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name, uid, controller: true }],
      },
      status: {
        podIPs: canary.endpoints.map(({ address }) => ({ ip: address })),
        conditions: conditionsOf(pod),
        containerStatuses: [{ name: "scanner", state: stateOf(pod) }] as never,
      },
    },
  ];
});

const conditionsOf = ({ isUnschedulable, isLost }: SimulatedPod) => [
  ...(isUnschedulable ? [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }] : []),
  ...(isLost
    ? [
        { type: "Ready", status: "False" },
        { type: "ContainersReady", status: "True" },
      ]
    : []),
];

function stateOf({ isRunning, waitingReason, terminatedReason }: SimulatedPod): object {
  if (terminatedReason !== undefined) return { terminated: { reason: terminatedReason } };
  if (waitingReason !== undefined) return { waiting: { reason: waitingReason } };
  return isRunning ? { running: {} } : {};
}

/** A cache has the same object as long as nothing changes. */
function memoized<T>(make: (job: SimulatedJob) => T): (job: SimulatedJob) => T {
  const made = new WeakMap<SimulatedJob, T>();
  return (job) => {
    const known = made.get(job) ?? make(job);
    made.set(job, known);
    return known;
  };
}
