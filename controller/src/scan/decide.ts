import type { ReconcilePlan } from "./plan.ts";
import { notAccepted, notItsRow, recordMissing } from "./rules/acceptance.ts";
import * as beforeJob from "./rules/before-job.ts";
import { identitiesWithdrawn } from "./rules/identities.ts";
import { olderAttempts } from "./rules/before-job.ts";
import * as finished from "./rules/finished.ts";
import * as ended from "./rules/job-ended.ts";
import * as running from "./rules/job-running.ts";
import { podCannotStart, waitUnexplained, watchdog } from "./rules/job-running.ts";
import type { Rule } from "./rules/rule.ts";
import { foreignPolicyWidens, policiesUnread, sealBroken } from "./rules/isolation.ts";
import type { World } from "./world.ts";

/** The order is the state machine: the first rule that returns a plan decides. */
const RULES: readonly Rule[] = [
  finished.alreadyFinished,
  notItsRow,
  finished.rowEnded,
  finished.scanDeleted,
  recordMissing,
  notAccepted,
  watchdog,
  sealBroken,
  foreignPolicyWidens,
  policiesUnread,
  olderAttempts,
  ended.done,
  ended.deadlineExceeded,
  ended.podFailurePolicy,
  ended.outOfMemory,
  ended.podDeleted,
  ended.jobFailed,
  identitiesWithdrawn,
  beforeJob.creationRefused,
  beforeJob.jobVanished,
  beforeJob.waitingForSlot,
  beforeJob.targetResolved,
  podCannotStart,
  running.nodeLost,
  waitUnexplained,
  running.jobRunning,
  beforeJob.policyBeforePod,
  beforeJob.noCanary,
  beforeJob.startJob,
];

/**
 * Decides what to do about one Scan, from the World alone: from the observed Job, not from the phase. Of the status, it trusts only
 * that the scan has finished.
 */
export function decide(world: World): ReconcilePlan {
  for (const rule of RULES) {
    const plan = rule(world);
    if (plan) return plan;
  }
  // Not reachable: without a Job a scan waits, resolves, is isolated or starts, and every other state has a rule.
  throw new Error(`No rule decides on the scan ${world.scanId}`);
}
