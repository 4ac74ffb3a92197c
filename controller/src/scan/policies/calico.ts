import type { Opens, SealedPod } from "../foreign-policies.ts";
import { joined, type LabelView } from "../label-selector.ts";
import { allOf, mayBe, UNKNOWN } from "../three-valued.ts";
import { calicoSelects } from "./calico-selector.ts";

interface Spec {
  readonly selector?: string;
  readonly namespaceSelector?: string;
  readonly serviceAccountSelector?: string;
  readonly types?: readonly string[];
  readonly egress?: readonly { readonly action?: string }[];
}

/**
 * Calico's policies: opens more when it may select the pod and an egress rule allows something, or passes on to a
 * profile.
 */
export const calicoOpens: Opens = (spec, pod) => {
  const {
    selector = "",
    namespaceSelector = "",
    serviceAccountSelector = "",
    types,
    egress = [],
  } = spec as Spec;
  if (types && !types.includes("Egress")) return false;
  if (!egress.some(({ action }) => action !== "Deny" && action !== "Log")) return false;
  const labels = endpointLabels(pod);
  return mayBe(
    allOf([
      calicoSelects(selector, labels),
      // `global()` selects what has no namespace. In `selector` it has meant other things, too.
      calicoSelects(namespaceSelector, below(labels, "pcns."), false),
      calicoSelects(serviceAccountSelector, below(labels, "pcsa.")),
    ]),
  );
};

/** A pod as Calico sees it: it inherits the labels of its namespace (`pcns.`) and of its service account (`pcsa.`). */
function endpointLabels({ namespace, namespaceLabels, podLabels, serviceAccount }: SealedPod): LabelView {
  const added = new Map([
    ["projectcalico.org/namespace", namespace],
    ["projectcalico.org/orchestrator", "k8s"],
    ["projectcalico.org/serviceaccount", serviceAccount],
    ["pcns.projectcalico.org/name", namespace],
    ["pcsa.projectcalico.org/name", serviceAccount],
    ...Object.entries(namespaceLabels).map(([key, value]) => [`pcns.${key}`, value] as const),
  ]);
  const known = joined(podLabels, added);
  return { get: (key) => known.get(key) ?? (NOT_KNOWN.test(key) ? UNKNOWN : undefined) };
}

/** Labels that Calico may have added besides. Those of the service account are not read. */
const NOT_KNOWN = /^(?:pcsa\.|(?:pcns\.)?projectcalico\.org\/)/;

const below = (labels: LabelView, prefix: string): LabelView => ({
  get: (key) => labels.get(`${prefix}${key}`),
});
