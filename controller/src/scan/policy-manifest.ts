import { isIPv6 } from "node:net";
import { isDeepStrictEqual } from "node:util";
import type { Pin } from "@glovebox/contract";
import { ANNOTATIONS, LABELS } from "@glovebox/k8s";
import type { Wire } from "@glovebox/kube";
import type { V1NetworkPolicy, V1NetworkPolicySpec } from "@kubernetes/client-node";
import { attemptMetadata, type Part } from "./ownership.ts";

/** What the spec of a policy is made from. */
export interface PolicyBasis {
  readonly scanId: string;
  readonly attempt: number;
  readonly pins: readonly Pin[];
}

export type PolicyRequest = PolicyBasis & Part;

/** The policy of one attempt: nothing in, and out to the pinned addresses at the pinned TCP ports. No DNS. */
export function policyManifest({ pins, ...part }: PolicyRequest): V1NetworkPolicy {
  const metadata = attemptMetadata(part);
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [ANNOTATIONS.pins]: JSON.stringify(pins) },
    },
    spec: specOf({ pins, ...part }),
  };
}

const specOf = ({ scanId, attempt, pins }: PolicyBasis) => ({
  podSelector: { matchLabels: { [LABELS.scan]: scanId, [LABELS.attempt]: String(attempt) } },
  policyTypes: ["Ingress", "Egress"],
  ingress: [],
  egress: pins.map(({ addresses, ports }) => ({
    to: addresses.map((address) => ({ ipBlock: { cidr: cidrOf(address) } })),
    ports: ports.map((port) => ({ protocol: "TCP", port })),
  })),
});

/** Whether the policy means what it was made to mean. */
export const hasSpecFor = (basis: PolicyBasis, { spec }: Pick<Wire<V1NetworkPolicy>, "spec">): boolean =>
  isDeepStrictEqual(meaningOf(spec ?? {}), meaningOf(specOf(basis)));

/** Lists that are empty are left out by the API server. */
function meaningOf({
  podSelector,
  policyTypes = [],
  ingress = [],
  egress = [],
}: Partial<Wire<V1NetworkPolicySpec>>) {
  return { podSelector, policyTypes: policyTypes.toSorted(), ingress, egress };
}

const cidrOf = (address: string): string => `${address}/${isIPv6(address) ? 128 : 32}`;
