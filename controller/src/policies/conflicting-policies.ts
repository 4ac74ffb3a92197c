import type { Pin } from "@glovebox/contract";
import { LABELS } from "@glovebox/k8s";
import type { Labels, LabelSelector, LabelView } from "../kubernetes/label-selector.ts";
import { antreaOpens } from "./antrea.ts";
import { calicoOpens } from "./calico.ts";
import { ciliumOpens } from "./cilium.ts";
import { clusterPolicyOpens, networkPolicyOpens } from "./kubernetes.ts";

/** A policy of any kind, as the API server returns it. */
export interface PolicyObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly creationTimestamp?: string;
  };
  readonly spec?: unknown;
  /** CiliumNetworkPolicy may have several. */
  readonly specs?: readonly unknown[];
}

/** A scan pod, which no policy may allow more than its pins. */
export interface IsolatedPod {
  readonly namespace: string;
  readonly namespaceLabels: Labels;
  readonly podLabels: LabelView;
  /** Name of the service account that it runs as. */
  readonly serviceAccount: string;
  readonly pins: readonly Pin[];
}

/** The result of `selectedScan` for a policy that may select pods of any scan. */
export const ANY_SCAN = "";

/**
 * The scan whose pods a NetworkPolicy may select, if its selector requires the label of a scan. So the policies of other scans need
 * not be evaluated for each scan.
 */
export const selectedScan = ({ spec }: PolicyObject): string =>
  (spec as { readonly podSelector?: LabelSelector } | undefined)?.podSelector?.matchLabels?.[LABELS.scan] ??
  ANY_SCAN;

/** True if this spec may select the pod and allows more than its pins. */
export type Opens = (spec: unknown, pod: IsolatedPod) => boolean;

/**
 * The first policy that allows the pod more than its pins, as `Kind namespace/name`; undefined if none does. The own policy of the
 * scan is evaluated too, so that a change of it is detected. A policy that cannot be evaluated counts as allowing more.
 */
export function egressWidenedBy(policies: readonly PolicyObject[], pod: IsolatedPod): string | undefined {
  const offender = policies.find((policy) => isInScope(policy, pod) && opens(policy, pod));
  if (!offender) return undefined;
  const { namespace, name } = offender.metadata;
  return `${offender.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** By API group and kind. Other kinds cannot widen egress. */
const KINDS: Readonly<Record<string, Opens>> = {
  "networking.k8s.io/NetworkPolicy": networkPolicyOpens,
  "cilium.io/CiliumNetworkPolicy": ciliumOpens,
  "cilium.io/CiliumClusterwideNetworkPolicy": ciliumOpens,
  "projectcalico.org/NetworkPolicy": calicoOpens,
  "projectcalico.org/GlobalNetworkPolicy": calicoOpens,
  "crd.projectcalico.org/NetworkPolicy": calicoOpens,
  "crd.projectcalico.org/GlobalNetworkPolicy": calicoOpens,
  "crd.antrea.io/NetworkPolicy": antreaOpens,
  "crd.antrea.io/ClusterNetworkPolicy": antreaOpens,
  "policy.networking.k8s.io/AdminNetworkPolicy": clusterPolicyOpens,
  "policy.networking.k8s.io/ClusterNetworkPolicy": clusterPolicyOpens,
};

const isInScope = ({ metadata }: PolicyObject, { namespace }: IsolatedPod): boolean =>
  metadata.namespace === undefined || metadata.namespace === namespace;

function opens({ apiVersion, kind, spec, specs = [] }: PolicyObject, pod: IsolatedPod): boolean {
  const judge = KINDS[`${apiVersion.split("/")[0]}/${kind}`];
  const all = spec === undefined ? specs : [spec, ...specs];
  return judge !== undefined && all.some((one) => judge(one, pod));
}
