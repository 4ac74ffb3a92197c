import { attemptInHand, type AttemptView, type World } from "../world.ts";
import { ask, fail, retry, type Rule } from "./rule.ts";

/** Complete: the report is read, and recorded when it is whole. Never "no findings" for a report that is not there. */
export const done: Rule = (world) => {
  const { number, job } = attemptInHand(world);
  if (job?.ended?.how !== "complete") return undefined;
  const { report } = world.answers;
  if (report?.attempt !== number) return ask("readReport", { do: "readReport", attempt: number });
  if (report.how === "lost") return retry("resultLost", world, ["result_lost", report.detail]);
  const { outcome } = report;
  if (outcome.status === "failed" && outcome.failure.code === "isolation_not_proven")
    return ask("isolationNotProven", { do: "recordOutcome", outcome });
  // An image that knows nothing of the proof would deliver a report all the same.
  if (outcome.status === "completed" && !outcome.report.isolation)
    return fail("isolationNotProven", "isolation_not_proven", "The report holds no proof.");
  return ask("done", { do: "recordOutcome", outcome });
};

/** Stopped at its deadline: the target is slow, and another attempt would be as slow. */
export const deadlineExceeded: Rule = (world) =>
  failedBecause(world)?.reason === "DeadlineExceeded"
    ? fail("deadlineExceeded", "deadline_exceeded")
    : undefined;

/** The pod was evicted, preempted or drained, which the Job's pod failure policy turns into its failure. */
export const podFailurePolicy: Rule = (world) =>
  failedBecause(world)?.reason === "PodFailurePolicy"
    ? retry("podFailurePolicy", world, ["result_lost", "Its pod was evicted."])
    : undefined;

export const outOfMemory: Rule = (world) =>
  failedBecause(world)?.pods.some(({ terminatedReason }) => terminatedReason === "OOMKilled")
    ? retry("outOfMemory", world, ["scanner_crashed", "It ran out of memory."])
    : undefined;

/** The Job failed and no pod is left to say why. */
export const podDeleted: Rule = (world) =>
  failedBecause(world)?.pods.length === 0
    ? retry("podDeleted", world, ["result_lost", "Its pod was deleted."])
    : undefined;

/** BackoffLimitExceeded, or a reason that Kubernetes may yet invent. */
export const jobFailed: Rule = (world) => {
  const failed = failedBecause(world);
  if (!failed) return undefined;
  const isUsual = failed.reason === "BackoffLimitExceeded";
  const detail = isUsual ? undefined : `Its Job failed: ${failed.reason}.`;
  return retry(isUsual ? "backoffLimitExceeded" : "jobFailed", world, ["scanner_crashed", detail]);
};

function failedBecause(world: World): { reason: string; pods: AttemptView["pods"] } | undefined {
  const { job, pods } = attemptInHand(world);
  return job?.ended?.how === "failed" ? { reason: job.ended.reason, pods } : undefined;
}
