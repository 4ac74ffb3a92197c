import { CONTROLLER_NAME, LABELS, SCANNER_NAME, type ScanResource, API_VERSION, KIND } from "@glovebox/k8s";
import type { V1ObjectMeta } from "@kubernetes/client-node";
import type { KubeObject } from "../runtime/resource.ts";
import type { LabelValue, LabelView } from "./label-selector.ts";
import { UNKNOWN } from "./three-valued.ts";

/** Name of an attempt's Job and NetworkPolicy: deterministic, so that creating one twice is creating it once. */
export const attemptName = (scanId: string, attempt: number): string => `${scanId}-${attempt}`;

/** Labels of an attempt's Job, policy and pod. */
export const podLabels = (scanId: string, attempt: number): Record<string, string> => ({
  [LABELS.name]: SCANNER_NAME,
  [LABELS.managedBy]: CONTROLLER_NAME,
  [LABELS.scan]: scanId,
  [LABELS.attempt]: String(attempt),
});

/** Uid of the Scan that an object of an attempt's belongs to; a pod belongs to a Job instead. */
export const ownerOf = ({ metadata }: KubeObject): string => metadata?.ownerReferences?.[0]?.uid ?? "";

const JOB_NAMES = ["job-name", "batch.kubernetes.io/job-name"] as const;
const JOB_UIDS = ["controller-uid", "batch.kubernetes.io/controller-uid"] as const;
/** Labels that the Job controller adds to the pods of a Job. */
export const JOB_LABELS: readonly string[] = [...JOB_NAMES, ...JOB_UIDS];

/** Labels that an attempt's pod will have, unless admission changes them; the uid is that of its Job, once it has one. */
export const expectedLabels = (scanId: string, attempt: number, jobUid?: string): LabelView =>
  new Map<string, LabelValue>([
    ...Object.entries(podLabels(scanId, attempt)),
    ...JOB_NAMES.map((key) => [key, attemptName(scanId, attempt)] as const),
    ...JOB_UIDS.map((key) => [key, jobUid ?? UNKNOWN] as const),
  ]);

/** Metadata of what an attempt creates: owned by the Scan, and deleted with it. */
export const attemptMetadata = (scan: ScanResource, scanId: string, attempt: number): V1ObjectMeta => ({
  name: attemptName(scanId, attempt),
  namespace: scan.metadata.namespace,
  labels: podLabels(scanId, attempt),
  ownerReferences: [
    {
      apiVersion: API_VERSION,
      kind: KIND,
      name: scan.metadata.name,
      uid: scan.metadata.uid,
      controller: true,
      blockOwnerDeletion: false,
    },
  ],
});
