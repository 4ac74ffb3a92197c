import { familyOf, isCrashByTarget, isolationFailure, type IsolationCause } from "@glovebox/contract";
import { type DeliveredOutcome, type DeliveredReport } from "@glovebox/scan-run";
import { currentAttemptView, type AttemptView, type World } from "../world.ts";
import type { ReconcilePlan } from "../plan.ts";
import { planQuery, failWith, planRecord, endAttempt, retryWithAnotherCanary, type Rule } from "./rule.ts";

/** The Job is complete: its report is read, and recorded if it is complete. A missing report is never "no findings". */
export const done: Rule = (world) => {
  const { number, job } = currentAttemptView(world);
  if (job?.ended?.how !== "complete") return undefined;
  const { report } = world.responses;
  if (report?.attempt !== number) return planQuery("readReport", { ask: "readReport", attempt: number });
  if (report.how === "lost") return endAttempt("resultLost", world, report);
  // Another attempt would give the same report: it is not read again, and the scan is not repeated.
  if (report.how === "malformed") return endAttempt("reportMalformed", world, report);
  const { outcome } = report;
  const isUnproven = outcome.status === "failed" && outcome.failure.code === "isolation_not_proven";
  const record = planRecord(isUnproven ? "isolationNotProven" : "done", outcome);
  return checkOfProof(outcome, world) ?? record;
};

/** The plan that checks the proof of isolation first; undefined if the proof counts, or the outcome needs none. */
function checkOfProof(outcome: DeliveredOutcome, world: World): ReconcilePlan | undefined {
  if (!needsCanary(outcome)) return undefined;
  const { number, job } = currentAttemptView(world);
  if (job && !job.canary)
    return retryWithAnotherCanary("canaryLost", world, "An earlier release started it without a canary.");
  const objection = outcome.status === "completed" ? objectionTo(outcome.report, world) : undefined;
  if (objection) return failWith("isolationNotProven", isolationFailure(objection));
  const { canary } = world.responses;
  if (canary?.attempt !== number) return planQuery("attestCanary", { ask: "attestCanary", attempt: number });
  return canary.alive ? undefined : retryWithAnotherCanary("canaryLost", world, canary.detail);
}

/** Why the proof does not count: it must cover each address family of the pod. */
function objectionTo({ isolation }: DeliveredReport, world: World): IsolationCause | undefined {
  // For example from a scanner image of another release.
  if (!isolation) return "NotObserved";
  const { canary, canaries = [canary] } = isolation;
  const proven = new Set(canaries.map(({ address }) => familyOf(address)));
  const { job, pods } = currentAttemptView(world);
  const ofPods = pods.flatMap(({ families = [] }) => families);
  const ofCanary = job?.canary?.endpoints.map(({ address }) => familyOf(address)) ?? [];
  return (ofPods.length > 0 ? ofPods : ofCanary).every((family) => proven.has(family))
    ? undefined
    : "CanaryFamilyMissing";
}

/**
 * A blocked or refused connection proves isolation only if the canary was alive all the time. A scanner that reached the canary needs
 * no such check.
 */
const needsCanary = (outcome: DeliveredOutcome): boolean =>
  outcome.status === "completed" || outcome.failure.reason === "CanaryRefused";

/** Stopped at its deadline: another attempt would be as slow. */
export const deadlineExceeded: Rule = (world) => {
  const failed = failedBecause(world);
  const reasons = [failed?.reason, ...(failed?.pods ?? []).map(({ failedReason }) => failedReason)];
  return reasons.includes("DeadlineExceeded")
    ? endAttempt("deadlineExceeded", world, { how: "overran" })
    : undefined;
};

/** The pod was evicted, preempted or drained, which the Job's pod failure policy turns into its failure. */
export const podFailurePolicy: Rule = (world) =>
  failedBecause(world)?.reason === "PodFailurePolicy"
    ? endAttempt("podFailurePolicy", world, { how: "lost", detail: "Its pod was evicted." })
    : undefined;

export const outOfMemory: Rule = (world) =>
  failedBecause(world)?.pods.some(({ terminatedReason }) => terminatedReason === "OOMKilled")
    ? endAttempt("outOfMemory", world, { how: "exhausted" })
    : undefined;

/** The Job failed, and no pod is left that has the reason. */
export const podDeleted: Rule = (world) =>
  failedBecause(world)?.pods.length === 0
    ? endAttempt("podDeleted", world, { how: "lost", detail: "Its pod was deleted." })
    : undefined;

/** BackoffLimitExceeded, or any other reason. */
export const jobFailed: Rule = (world) => {
  const failed = failedBecause(world);
  if (!failed) return undefined;
  const isExpected = failed.reason === "BackoffLimitExceeded";
  if (failed.pods.some(({ exit }) => isCrashByTarget({ exitCode: exit?.code })))
    return endAttempt("crashedByTarget", world, { how: "exhausted" });
  const detail = isExpected ? undefined : `Its Job failed: ${failed.reason}.`;
  return endAttempt(isExpected ? "backoffLimitExceeded" : "jobFailed", world, { how: "crashed", detail });
};

function failedBecause(world: World): { reason: string; pods: AttemptView["pods"] } | undefined {
  const { job, pods } = currentAttemptView(world);
  return job?.ended?.how === "failed" ? { reason: job.ended.reason, pods } : undefined;
}
