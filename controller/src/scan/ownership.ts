import { ANNOTATIONS, API_VERSION, KIND, type ScanResource } from "@glovebox/k8s";
import type { KubeObject } from "@glovebox/kube";
import type { V1ObjectMeta } from "@kubernetes/client-node";
import { attemptName, podLabels } from "./names.ts";

/** A Scan as what belongs to it names it. */
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
 * Metadata of what an attempt creates. A Scan of the same namespace owns it, and it is deleted with it. One of another
 * namespace cannot: Kubernetes would delete what says so. There an annotation names the Scan, and the controller deletes.
 */
export function attemptMetadata({ scan, scanId, attempt, namespace }: Part): V1ObjectMeta {
  const { name, uid } = scan.metadata;
  const metadata = { name: attemptName(scanId, attempt), namespace, labels: podLabels(scanId, attempt) };
  if (scan.metadata.namespace !== namespace)
    return {
      ...metadata,
      annotations: { [ANNOTATIONS.scanResource]: [scan.metadata.namespace, name, uid].join("/") },
    };
  const owner = {
    apiVersion: API_VERSION,
    kind: KIND,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: false,
  };
  return { ...metadata, ownerReferences: [owner] };
}

/** The Scan of another namespace that a Job or policy says it belongs to. */
export function scanNamedBy({ metadata }: KubeObject): ScanReference | undefined {
  const [namespace, name, uid] = metadata?.annotations?.[ANNOTATIONS.scanResource]?.split("/") ?? [];
  return namespace && name && uid ? { namespace, name, uid } : undefined;
}

/** Uids of the Scans that a Job or policy belongs to: mostly one. */
const ownersOf = (object: KubeObject): (string | undefined)[] => [
  ...(object.metadata?.ownerReferences ?? []).map(({ uid }) => uid),
  scanNamedBy(object)?.uid,
];

/** Nobody's label makes a Job or policy a Scan's. */
export const belongsTo = (object: KubeObject, { metadata }: ScanResource): boolean =>
  ownersOf(object).includes(metadata.uid);

/** Uid of the Scan that a Job or policy belongs to. */
export const ownerOf = (object: KubeObject): string => ownersOf(object)[0] ?? "";
