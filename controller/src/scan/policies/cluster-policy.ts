import type { Opens } from "../foreign-policies.ts";
import { selects, viewOf, type LabelSelector } from "../label-selector.ts";
import { allOf, mayBe } from "../three-valued.ts";

interface Spec {
  readonly tier?: string;
  readonly subject?: {
    readonly namespaces?: LabelSelector;
    readonly pods?: { readonly namespaceSelector?: LabelSelector; readonly podSelector?: LabelSelector };
  };
  readonly egress?: readonly { readonly action?: string }[];
}

/**
 * AdminNetworkPolicy and ClusterNetworkPolicy: what they allow, no NetworkPolicy can deny. `Pass` and `Deny` open
 * nothing; neither do policies of the baseline, which yield to any NetworkPolicy that selects the pod.
 */
export const clusterPolicyOpens: Opens = (spec, { namespaceLabels, podLabels }) => {
  const { tier, subject = {}, egress = [] } = spec as Spec;
  if (tier === "Baseline") return false;
  if (!egress.some(({ action }) => action !== "Pass" && action !== "Deny")) return false;
  const { namespaces, pods } = subject;
  const ofNamespace = viewOf(namespaceLabels);
  if (namespaces) return mayBe(selects(namespaces, ofNamespace));
  return mayBe(
    allOf([selects(pods?.namespaceSelector ?? {}, ofNamespace), selects(pods?.podSelector ?? {}, podLabels)]),
  );
};
