import { selects, type Labels, type LabelSelector } from "../label-selector.ts";
import type { Opens } from "../foreign-policies.ts";

interface Spec {
  readonly endpointSelector?: LabelSelector;
  readonly egress?: readonly object[];
}

/**
 * cilium.io/v2: opens more when it selects the pod and has an egress rule that names anything. Denials (`egressDeny`)
 * open nothing, and neither do policies for nodes.
 */
export const ciliumOpens: Opens = (spec, { namespace, namespaceLabels, podLabels }) => {
  const { endpointSelector, egress = [] } = spec as Spec;
  if (!endpointSelector || !egress.some((rule) => Object.keys(rule).length > 0)) return false;
  const labels = {
    ...podLabels,
    "io.kubernetes.pod.namespace": namespace,
    ...prefixed("io.cilium.k8s.namespace.labels.", namespaceLabels),
  };
  return selects(withoutSources(endpointSelector), labels);
};

const prefixed = (prefix: string, labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${prefix}${key}`, value]));

/** Cilium writes where a label comes from in front of its key: `k8s:app` or `any.app`. */
const SOURCE = /^(?:k8s|any)[:.](?!io\/)/;
const NOT_OURS = /^(?:reserved|container|cidr|cni|unspec)[:.]/;

function withoutSources({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelSelector {
  return {
    matchLabels: Object.fromEntries(
      Object.entries(matchLabels)
        .filter(([key]) => !NOT_OURS.test(key))
        .map(([key, value]) => [key.replace(SOURCE, ""), value]),
    ),
    matchExpressions: matchExpressions
      .filter(({ key }) => !NOT_OURS.test(key))
      .map((expression) => ({ ...expression, key: expression.key.replace(SOURCE, "") })),
  };
}
