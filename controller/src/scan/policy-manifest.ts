import { isIPv6 } from "node:net";
import type { Pin } from "@glovebox/contract";
import { ANNOTATIONS, LABELS, type ScanResource } from "@glovebox/k8s";
import type { V1NetworkPolicy } from "@kubernetes/client-node";
import { attemptMetadata } from "./names.ts";

export interface PolicyRequest {
  readonly scan: ScanResource;
  readonly scanId: string;
  readonly attempt: number;
  readonly pins: readonly Pin[];
}

/** The policy of one attempt: nothing in, and out to the pinned addresses at the pinned TCP ports. No DNS. */
export function policyManifest({ scan, scanId, attempt, pins }: PolicyRequest): V1NetworkPolicy {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: {
      ...attemptMetadata(scan, scanId, attempt),
      annotations: { [ANNOTATIONS.pins]: JSON.stringify(pins) },
    },
    spec: {
      podSelector: { matchLabels: { [LABELS.scan]: scanId, [LABELS.attempt]: String(attempt) } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [],
      egress: pins.map(({ addresses, ports }) => ({
        to: addresses.map((address) => ({ ipBlock: { cidr: cidrOf(address) } })),
        ports: ports.map((port) => ({ protocol: "TCP", port })),
      })),
    },
  };
}

const cidrOf = (address: string): string => `${address}/${isIPv6(address) ? 128 : 32}`;
