import { CONTROLLER_NAME, LABELS, SCANNER_NAME } from "@glovebox/k8s";
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
