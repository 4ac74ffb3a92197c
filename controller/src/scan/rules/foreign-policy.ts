import { egressWidenedBy } from "../foreign-policies.ts";
import { podLabels } from "../names.ts";
import { attemptInHand } from "../world.ts";
import { fail, type Rule } from "./rule.ts";

/** Policies add up: one of somebody else's that opens more than the pins ends the scan, and is named. */
export const foreignPolicyWidens: Rule = (world) => {
  const { number, policy, job } = attemptInHand(world);
  const pins = policy?.pins ?? (world.answers.target?.ok ? world.answers.target.pins : undefined);
  if (!pins || job?.ended) return undefined;
  const offender = egressWidenedBy(world.policies, {
    namespace: world.scan.metadata.namespace,
    namespaceLabels: world.namespaceLabels,
    podLabels: podLabels(world.scanId, number),
    pins,
  });
  return offender === undefined
    ? undefined
    : fail("foreignPolicyWidens", "egress_widened", `It is ${offender}.`);
};
