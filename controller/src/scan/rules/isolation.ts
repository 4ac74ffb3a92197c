import { egressWidenedBy, type PolicyObject } from "../../policies/conflicting-policies.ts";
import { type LabelView, viewOf } from "../../kubernetes/label-selector.ts";
import { expectedLabels } from "../../kubernetes/ownership.ts";
import { currentAttemptView, type AttemptView, type World } from "../world.ts";
import { type JobView } from "../../kubernetes/job-view.ts";
import { patchOf } from "../status.ts";
import { fail, requeueIn, endAttempt, type Rule, secondsSince } from "./rule.ts";

/**
 * The policy of the attempt was deleted or changed since its Job was started, even if only for a moment. A target that became
 * unreachable because of it would look like one without findings, so the report is not read, and the attempt is repeated.
 */
export const sealBroken: Rule = (world) => {
  const found = breachOf(currentAttemptView(world));
  return found === undefined
    ? undefined
    : endAttempt("sealBroken", world, { how: "isolationLost", detail: found });
};

function breachOf({ policy, job }: AttemptView): string | undefined {
  if (!policy) return job && "Its NetworkPolicy was deleted.";
  if (!policy.isAsMade) return "Its NetworkPolicy was changed.";
  // A Job of an earlier release does not say which policy it was started with.
  if (job?.policy === undefined || job.policy === policy.version) return undefined;
  const [uid] = policy.version.split("/");
  return job.policy.startsWith(`${uid}/`)
    ? "Its NetworkPolicy was changed and then restored."
    : "Its NetworkPolicy was deleted and recreated.";
}

/** Seconds until the policies are read again. */
const UNREAD_SECONDS = 1;

/**
 * Policies that could widen egress cannot be read, for example because the backend of an aggregated API is away. Until they can,
 * the scan neither starts nor is its report read, and its status names the API.
 */
export const policiesUnread: Rule = (world) => {
  const { policiesUnread: why } = world.responses;
  if (why === undefined) return undefined;
  const message = `Policies that could widen the egress of the scan cannot be read: ${why}.`;
  const phase = currentAttemptView(world).job ? "Running" : "Pending";
  const patch = patchOf(world, { phase }, [
    { type: "Sealed", status: "Unknown", reason: "PolicyApiUnavailable", message },
  ]);
  return { rule: "policiesUnread", actions: patch, ...requeueIn(UNREAD_SECONDS) };
};

/** How far clocks of the cluster may be apart. */
const SKEW_SECONDS = 60;

/**
 * Policies are additive: another policy that allows more than the pins ends the scan, and is named. Before the report of
 * an ended Job is read, all count that may have been there while its pod ran: it is not known since when an older one
 * has had its present rules.
 */
export const foreignPolicyWidens: Rule = (world) => {
  const { settings, namespaceLabels, responses } = world;
  const attempt = currentAttemptView(world);
  const pins = attempt.policy?.pins ?? (responses.target?.ok ? responses.target.pins : undefined);
  if (!pins) return undefined;
  const { namespace } = settings;
  const policies = world.policies.filter((policy) => !isYounger(policy, attempt.job));
  for (const pod of podsToJudge(world, attempt)) {
    const offender = egressWidenedBy(policies, { namespace, namespaceLabels, pins, ...pod });
    if (offender !== undefined)
      return fail("foreignPolicyWidens", "egress_widened", `The policy is ${offender}.`);
  }
  return undefined;
};

const isYounger = ({ metadata }: PolicyObject, job: JobView | undefined): boolean =>
  job?.endedAt !== undefined &&
  metadata.creationTimestamp !== undefined &&
  secondsSince(job.endedAt, new Date(metadata.creationTimestamp)) > SKEW_SECONDS;

/** Real pods by the labels that they have; before there is one, and after it was deleted, the one that is expected. */
function podsToJudge(
  { scanId, settings }: World,
  { number, job, pods }: AttemptView,
): { readonly podLabels: LabelView; readonly serviceAccount: string }[] {
  const { serviceAccount } = settings;
  if (pods.length === 0) return [{ podLabels: expectedLabels(scanId, number, job?.uid), serviceAccount }];
  return pods.map((pod) => ({
    podLabels: viewOf(pod.labels),
    serviceAccount: pod.serviceAccount ?? serviceAccount,
  }));
}
