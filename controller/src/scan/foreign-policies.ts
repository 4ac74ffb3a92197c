import type { Pin } from "@glovebox/contract";
import { LABELS } from "@glovebox/k8s";
import type { Labels, LabelSelector, LabelView } from "./label-selector.ts";
import { antreaOpens } from "./policies/antrea.ts";
import { calicoOpens } from "./policies/calico.ts";
import { ciliumOpens } from "./policies/cilium.ts";
import { clusterPolicyOpens, networkPolicyOpens } from "./policies/kubernetes.ts";

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

/** The pod that nothing may open more for than its pins. */
export interface SealedPod {
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
 * The one scan whose pods a NetworkPolicy may select: each pod has its scan's label, and a selector that asks for that
 * label matches no other. A look at one scan need not judge the policies of all others.
 */
export const selectedScan = ({ spec }: PolicyObject): string =>
  (spec as NetworkPolicySpec | undefined)?.podSelector?.matchLabels?.[LABELS.scan] ?? ANY_SCAN;

interface NetworkPolicySpec {
  readonly podSelector?: LabelSelector;
}

/** True when this spec may select the pod and lets it reach more than its pins. */
export type Opens = (spec: unknown, pod: SealedPod) => boolean;

/**
 * The first policy that opens more for the pod than its pins, as `Kind namespace/name`; undefined where none does.
 * Our own policy is evaluated like any other, so a change that widens it is found too. What a policy means that cannot be read for
 * certain counts as opening: a seal in doubt is none.
 */
export function egressWidenedBy(policies: readonly PolicyObject[], pod: SealedPod): string | undefined {
  const offender = policies.find((policy) => isInReach(policy, pod) && opens(policy, pod));
  if (!offender) return undefined;
  const { namespace, name } = offender.metadata;
  return `${offender.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** By API group and kind; groups without the kinds listed hold no policy that could open anything. */
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

const isInReach = ({ metadata }: PolicyObject, { namespace }: SealedPod): boolean =>
  metadata.namespace === undefined || metadata.namespace === namespace;

function opens({ apiVersion, kind, spec, specs = [] }: PolicyObject, pod: SealedPod): boolean {
  const judge = KINDS[`${apiVersion.split("/")[0]}/${kind}`];
  const all = spec === undefined ? specs : [spec, ...specs];
  return judge !== undefined && all.some((one) => judge(one, pod));
}
