import { LABELS } from "@glovebox/k8s";
import type { Opens, IsolatedPod } from "./conflicting-policies.ts";
import {
  joined,
  type LabelSelector,
  type LabelView,
  mayBe,
  selects,
  UNKNOWN,
} from "../kubernetes/label-selector.ts";
import { JOB_LABELS } from "../kubernetes/ownership.ts";

/**
 * cilium.io/v2: true if the policy may select the pod and has a non-empty egress rule. `egressDeny` and policies for nodes allow
 * nothing.
 */
export const ciliumOpens: Opens = (spec, pod) => {
  const { endpointSelector, egress = [] } = spec as {
    readonly endpointSelector?: LabelSelector;
    readonly egress?: readonly object[];
  };
  if (!endpointSelector || !egress.some((rule) => Object.keys(rule).length > 0)) return false;
  return mayBe(selects(endpointSelector, endpointLabels(pod)));
};

/**
 * A pod as Cilium sees it. Keys of selectors may have the source of the label as a prefix: `k8s:app`, or `any:app`, which is the
 * same as `app`. Labels of other sources are unknown.
 */
function endpointLabels({ namespace, namespaceLabels, podLabels, serviceAccount }: IsolatedPod): LabelView {
  const added = new Map([
    ["io.kubernetes.pod.namespace", namespace],
    ["io.cilium.k8s.policy.serviceaccount", serviceAccount],
    ...Object.entries(namespaceLabels).map(([key, value]) => [`${NAMESPACE_LABELS}${key}`, value] as const),
  ]);
  const known = joined(podLabels, added);
  return {
    get(prefixed) {
      const { source, key } = KEY.exec(prefixed)!.groups as { source?: string; key: string };
      const isKnown = source === undefined || source === "k8s" || source === "any";
      if (!isKnown || EXCLUDED.has(key)) return UNKNOWN;
      if (key.startsWith(NAMESPACE_LABELS)) return known.get(key);
      return known.get(key) ?? (NOT_KNOWN.test(key) ? UNKNOWN : undefined);
    },
  };
}

const NAMESPACE_LABELS = "io.cilium.k8s.namespace.labels.";
const KEY = /^(?:(?<source>[^:]*):)?(?<key>[^]*)$/;
/** Further labels that Cilium may add, such as the name of the cluster. */
const NOT_KNOWN = /^(?:io\.cilium\.|io\.kubernetes\.|reserved\.|\$)/;
/** Labels that an operator may have excluded from identities, so that policies do not see them. */
const EXCLUDED: ReadonlySet<string> = new Set([LABELS.scan, LABELS.attempt, ...JOB_LABELS]);
