import { CONTROLLER_NAME, LABELS, SCANNER_NAME, type ScanResource, API_VERSION, KIND } from "@glovebox/k8s";
import type { V1ObjectMeta } from "@kubernetes/client-node";
import type { KubeObject } from "../runtime/resource.ts";

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
