import { LABELS, scanIdOf, type ScanResource } from "@glovebox/k8s";
import type { Clock, KubeObject } from "@glovebox/kube";
import { requestOf, type ScanRow } from "@glovebox/store";
import type { Caches } from "../caches/caches.ts";
import type { CanaryReference } from "../canary/protocol.ts";
import type { NamespaceReader } from "../kubernetes/namespace.ts";
import type { Pod } from "../kubernetes/api-client.ts";
import { attemptViews } from "./attempt-views.ts";
import { podView, type PodView } from "../kubernetes/pod-view.ts";
import type { ScanOverlay } from "./overlay.ts";
import { belongsTo, podsOfJob } from "../kubernetes/ownership.ts";
import type { ScanSettings } from "./settings.ts";
import type { Slots } from "./slots.ts";
import { isFinished } from "./status.ts";
import type { RowState, World } from "./world.ts";

export interface ObserveDeps {
  readonly caches: Pick<Caches, "jobs" | "pods" | "networkPolicies" | "policies" | "namespaceLabels">;
  readonly slots: Pick<Slots, "slotOf">;
  /** The row as it is now. */
  readonly findRow: (scanId: string) => Promise<ScanRow | undefined>;
  readonly followedAttempt: (scanId: string) => number | undefined;
  readonly namespaceFacts: NamespaceReader;
  /** A reachable canary for the next attempt. */
  readonly canary: () => CanaryReference | undefined;
  readonly settings: ScanSettings;
  /** The API server's, by which all timestamps of objects are. */
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

/**
 * All that a decision on the Scan may depend on, as it is now.
 * @throws KubeError or StoreUnavailable where something of it could not be read.
 */
export async function observe(overlay: ScanOverlay, deps: ObserveDeps): Promise<World> {
  const { scan, isDeleted, isRemoved } = overlay;
  const scanId = scanIdOf(scan);
  const namespaceLabels =
    deps.caches.namespaceLabels() ?? (await deps.namespaceFacts(deps.settings.namespace)).labels;
  const row = (overlay.row ??= await readRow(scan, deps));
  const now = deps.clock.now();
  const attempts = attemptViews(objectsOf(overlay, scanId, deps), (pod) =>
    seenPod(pod, now, [overlay, deps]),
  );
  const withJob = attempts.findLast(({ job }) => job);
  if (withJob?.job) overlay.note({ recent: { madeAttempt: withJob.number, seenJobUid: withJob.job.uid } });
  return {
    now,
    settings: deps.settings,
    scan,
    isDeleted,
    isRemoved,
    scanId,
    row,
    attempts,
    policies: deps.caches.policies(scanId),
    namespaceLabels,
    followedAttempt: deps.followedAttempt(scanId),
    canary: deps.canary(),
    allowedSecrets: await allowedSecrets(overlay, deps),
    slot: row.state === "processing" && !isDeleted ? deps.slots.slotOf(scan) : "waiting",
    responses: overlay.responses,
    ...overlay.recent,
  };
}

/** Undefined where nothing depends on it: the namespace of a Scan that has ended may be gone. */
async function allowedSecrets(
  { scan, isDeleted }: ScanOverlay,
  { namespaceFacts, settings }: ObserveDeps,
): Promise<World["allowedSecrets"]> {
  const { namespace } = scan.metadata;
  const isSubject = scan.spec.identitiesSecretRef && namespace !== settings.namespace;
  if (!isSubject || isDeleted || isFinished(scan)) return undefined;
  return (await namespaceFacts(namespace)).identities;
}

/** The duration of a condition is measured from when it was first observed, because its writer may have another clock. */
function seenPod(pod: Pod, now: Date, [overlay, { clock }]: [ScanOverlay, ObserveDeps]): PodView {
  const { isUnschedulable, isLost, ...view } = podView(pod);
  const since = (what: string, holds: boolean): Date | undefined => {
    const ms = overlay.ageOf(`${pod.metadata?.uid} ${what}`, holds, clock.monotonic());
    return ms === undefined ? undefined : new Date(now.getTime() - ms);
  };
  return {
    ...view,
    unschedulableSince: since("unschedulable", isUnschedulable),
    lostSince: since("lost", isLost),
  };
}

/**
 * The objects of the scan. Labels are not trusted: an object must be owned by the Scan, and a pod by one of its Jobs, by UID. Pods
 * of a deleted Job count until they are deleted: the overlay has the UID of the last observed Job, and the status the UID of the
 * previous attempt, also for the next leader. Only the pod of a Job that was deleted while no controller was running is missed;
 * it is about to end.
 */
function objectsOf(
  { scan, recent }: ScanOverlay,
  scanId: string,
  { caches: { jobs, pods, networkPolicies } }: ObserveDeps,
) {
  const isOwned = (object: KubeObject): boolean => belongsTo(object, scan);
  const own = jobs.find(LABELS.scan, scanId).filter(isOwned);
  const deleted = [scan.status?.jobUid, recent.seenJobUid];
  const jobUids = new Set([...own.map(({ metadata }) => metadata?.uid), ...deleted]);
  return {
    policies: networkPolicies.find(LABELS.scan, scanId).filter(isOwned),
    jobs: own,
    pods: [...jobUids].flatMap((uid) => (uid === undefined ? [] : podsOfJob(pods, uid))),
  };
}

const NOT_READ: RowState = { state: "notRead" };

async function readRow(scan: ScanResource, { findRow }: ObserveDeps): Promise<RowState> {
  if (isFinished(scan)) return NOT_READ;
  const found = await findRow(scanIdOf(scan));
  return found ? rowOf(found, scan.metadata.uid) : { state: "absent" };
}

function rowOf(found: ScanRow, uid: string): RowState {
  if (found.resourceUid === null) return { state: "unbound" };
  if (found.resourceUid !== uid) return { state: "ofAnother" };
  const { status, score, grade, findingsCount, failure } = found;
  if (status === "processing") return { state: "processing", request: requestOf(found) };
  if (status === "failed" && failure) return { state: "failed", failure };
  if (score !== null && grade !== null) return { state: "completed", score, grade, findings: findingsCount };
  throw new Error("The row of the scan has ended without a result");
}
