import type { Pin } from "@glovebox/contract";
import type { Opens } from "./conflicting-policies.ts";
import { allOf, type LabelSelector, mayBe, selects, viewOf } from "../kubernetes/label-selector.ts";

interface EgressRule {
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string } }[];
  readonly ports?: readonly {
    readonly protocol?: string;
    readonly port?: number | string;
    readonly endPort?: number;
  }[];
}

/** networking.k8s.io/v1: true if the policy may select the pod and has an egress rule that is not within the pins. */
export const networkPolicyOpens: Opens = (spec, { podLabels, pins }) => {
  const {
    podSelector = {},
    policyTypes,
    egress = [],
  } = spec as {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly egress?: readonly EgressRule[];
  };
  // Without policyTypes, a policy applies to egress if it has egress rules.
  const isAboutEgress = policyTypes ? policyTypes.includes("Egress") : egress.length > 0;
  return (
    isAboutEgress && egress.some((rule) => !isWithin(rule, pins)) && mayBe(selects(podSelector, podLabels))
  );
};

/** Whether all addresses and ports that the rule allows are pinned. Without `to` it allows all addresses, without `ports` all ports. */
function isWithin({ to = [], ports = [] }: EgressRule, pins: readonly Pin[]): boolean {
  if (to.length === 0 || ports.length === 0) return false;
  return to.every(({ ipBlock }) => {
    const address = ipBlock && singleAddress(ipBlock.cidr);
    return address !== undefined && ports.every((port) => isPinned(address, port, pins));
  });
}

const singleAddress = (cidr: string): string | undefined => /^(.+)\/(?:32|128)$/.exec(cidr)?.[1];

function isPinned(
  address: string,
  { protocol = "TCP", port, endPort }: NonNullable<EgressRule["ports"]>[number],
  pins: readonly Pin[],
): boolean {
  if (protocol !== "TCP" || typeof port !== "number" || (endPort ?? port) !== port) return false;
  return pins.some(
    ({ addresses, ports, backends = [] }) =>
      (addresses.includes(address) && ports.includes(port)) ||
      backends.some((backend) => backend.address === address && backend.port === port),
  );
}

interface ClusterPolicySpec {
  readonly tier?: string;
  readonly subject?: {
    readonly namespaces?: LabelSelector;
    readonly pods?: { readonly namespaceSelector?: LabelSelector; readonly podSelector?: LabelSelector };
  };
  readonly egress?: readonly { readonly action?: string }[];
}

/**
 * AdminNetworkPolicy and ClusterNetworkPolicy: what they allow, no NetworkPolicy can deny. `Pass` and `Deny` allow nothing, nor do
 * policies of the baseline tier, over which NetworkPolicies have precedence.
 */
export const clusterPolicyOpens: Opens = (spec, { namespaceLabels, podLabels }) => {
  const { tier, subject = {}, egress = [] } = spec as ClusterPolicySpec;
  if (tier === "Baseline") return false;
  if (!egress.some(({ action }) => action !== "Pass" && action !== "Deny")) return false;
  const { namespaces, pods } = subject;
  const ofNamespace = viewOf(namespaceLabels);
  if (namespaces) return mayBe(selects(namespaces, ofNamespace));
  return mayBe(
    allOf([selects(pods?.namespaceSelector ?? {}, ofNamespace), selects(pods?.podSelector ?? {}, podLabels)]),
  );
};
