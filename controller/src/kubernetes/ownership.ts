import {
  ANNOTATIONS,
  CONTROLLER_NAME,
  LABELS,
  ownerReferenceOf,
  SCANNER_NAME,
  SCHEDULE_KIND,
  type ScanResource,
} from "@glovebox/k8s";
import type { KubeObject, Lister } from "@glovebox/kube";
import type { V1ObjectMeta } from "@kubernetes/client-node";
import type { Pod } from "./api-client.ts";
import { type LabelValue, type LabelView, UNKNOWN } from "./label-selector.ts";

/** Name of an attempt's Job and NetworkPolicy: deterministic, so that creations are idempotent. */
export const attemptName = (scanId: string, attempt: number): string => `${scanId}-${attempt}`;

/** Labels of an attempt's Job, policy and pod. */
export const podLabels = (scanId: string, attempt: number): Record<string, string> => ({
  [LABELS.name]: SCANNER_NAME,
  [LABELS.managedBy]: CONTROLLER_NAME,
  [LABELS.scan]: scanId,
  [LABELS.attempt]: String(attempt),
});

const JOB_NAMES = ["job-name", "batch.kubernetes.io/job-name"] as const;
const JOB_UIDS = ["controller-uid", "batch.kubernetes.io/controller-uid"] as const;
/** Labels that the Job controller adds to the pods of a Job. */
export const JOB_LABELS: readonly string[] = [...JOB_NAMES, ...JOB_UIDS];

/** Labels that an attempt's pod will have, unless admission changes them; the uid is the uid of its Job, once it has one. */
export const expectedLabels = (scanId: string, attempt: number, jobUid?: string): LabelView =>
  new Map<string, LabelValue>([
    ...Object.entries(podLabels(scanId, attempt)),
    ...JOB_NAMES.map((key) => [key, attemptName(scanId, attempt)] as const),
    ...JOB_UIDS.map((key) => [key, jobUid ?? UNKNOWN] as const),
  ]);

/** The reference to a Scan in its Jobs and policies. */
export interface ScanReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface Part {
  readonly scan: ScanResource;
  readonly scanId: string;
  readonly attempt: number;
  /** Where Jobs and policies are. */
  readonly namespace: string;
}

/**
 * Metadata of the objects of an attempt. In the same namespace, an owner reference deletes them with the Scan. Owner references
 * across namespaces are invalid: there an annotation names the Scan, and the controller deletes the objects.
 */
export function attemptMetadata({ scan, scanId, attempt, namespace }: Part): V1ObjectMeta {
  const { name, uid } = scan.metadata;
  const metadata = { name: attemptName(scanId, attempt), namespace, labels: podLabels(scanId, attempt) };
  if (scan.metadata.namespace !== namespace)
    return {
      ...metadata,
      annotations: { [ANNOTATIONS.scanResource]: [scan.metadata.namespace, name, uid].join("/") },
    };
  const owner = ownerReferenceOf({ name, uid });
  return { ...metadata, ownerReferences: [owner] };
}

/** The Scan of another namespace that a Job or policy names as its owner. */
export function scanNamedBy({ metadata }: KubeObject): ScanReference | undefined {
  const [namespace, name, uid] = metadata?.annotations?.[ANNOTATIONS.scanResource]?.split("/") ?? [];
  return namespace && name && uid ? { namespace, name, uid } : undefined;
}

/** Uids of the Scans that own a Job or policy: normally one. */
const ownersOf = (object: KubeObject): (string | undefined)[] => [
  ...(object.metadata?.ownerReferences ?? []).map(({ uid }) => uid),
  scanNamedBy(object)?.uid,
];

/** By owner, not by label. */
export const belongsTo = (object: KubeObject, { metadata }: ScanResource): boolean =>
  ownersOf(object).includes(metadata.uid);

/** Uid of the Scan that a Job or policy belongs to. */
export const ownerOf = (object: KubeObject): string => ownersOf(object)[0] ?? "";

/** Name of the index of pods by the UID of the Job that controls them. */
export const BY_JOB = "job";

export const byJob = (pod: KubeObject): string[] => controllersOf(pod, "Job");

const controllersOf = ({ metadata }: KubeObject, ofKind: string): string[] =>
  (metadata?.ownerReferences ?? [])
    .filter(({ kind, controller }) => kind === ofKind && controller)
    .map(({ uid }) => uid);

/** The pods of this Job, by owner. Labels are not trusted. */
export const podsOfJob = (pods: Pick<Lister<Pod>, "find">, jobUid: string): readonly Pod[] =>
  pods.find(BY_JOB, jobUid);

/** Name of the index of Scans by the UID of the ScanSchedule that controls them. */
export const BY_SCHEDULE = "schedule";

export const bySchedule = (scan: KubeObject): string[] => controllersOf(scan, SCHEDULE_KIND);
