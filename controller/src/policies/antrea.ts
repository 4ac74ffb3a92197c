import type { Opens, IsolatedPod } from "./conflicting-policies.ts";
import {
  allOf,
  anyOf,
  type LabelSelector,
  mayBe,
  selects,
  UNKNOWN,
  type Ternary,
  viewOf,
} from "../kubernetes/label-selector.ts";

/** Each field that is set must hold. */
interface AppliedTo {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly serviceAccount?: { readonly name?: string; readonly namespace?: string };
  readonly nodeSelector?: LabelSelector;
  readonly externalEntitySelector?: LabelSelector;
}

interface Spec {
  readonly tier?: string;
  readonly appliedTo?: readonly AppliedTo[];
  readonly egress?: readonly { readonly action?: string; readonly appliedTo?: readonly AppliedTo[] }[];
}

/** Actions that allow nothing: `Pass` defers to NetworkPolicies. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["Drop", "Reject", "Pass"]);

/**
 * Policies of Antrea: what a rule allows, no NetworkPolicy can deny. `appliedTo` is in the policy or in each rule. Policies of the
 * tier `baseline` have lower precedence than any NetworkPolicy that selects the pod.
 */
export const antreaOpens: Opens = (spec, pod) => {
  const { tier, appliedTo = [], egress = [] } = spec as Spec;
  if (tier?.toLowerCase() === "baseline") return false;
  return egress.some(
    (rule) => !CLOSED.has(rule.action) && mayApply([...appliedTo, ...(rule.appliedTo ?? [])], pod),
  );
};

/** Antrea rejects policies without `appliedTo`; such a policy counts as selecting the pod. */
const mayApply = (targets: readonly AppliedTo[], pod: IsolatedPod): boolean =>
  targets.length === 0 || mayBe(anyOf(targets.map((target) => appliesTo(target, pod))));

/** The selectors of groups are not read: a policy that is applied to a group may select the pod. */
function appliesTo(
  target: AppliedTo,
  { namespace, namespaceLabels, podLabels, serviceAccount }: IsolatedPod,
): Ternary {
  const judged: Record<keyof AppliedTo, () => Ternary> = {
    podSelector: () => selects(target.podSelector!, podLabels),
    namespaceSelector: () => selects(target.namespaceSelector!, viewOf(namespaceLabels)),
    serviceAccount: () => {
      const { name, namespace: of = namespace } = target.serviceAccount!;
      return name === serviceAccount && of === namespace;
    },
    // These select nodes and external machines, not pods.
    nodeSelector: () => false,
    externalEntitySelector: () => false,
  };
  const fields = Object.keys(target);
  const isJudged = (field: string): field is keyof AppliedTo => Object.hasOwn(judged, field);
  return fields.length === 0
    ? UNKNOWN
    : allOf(fields.map((field) => (isJudged(field) ? judged[field]() : UNKNOWN)));
}
