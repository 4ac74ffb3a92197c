import { failureOf, isRetried, type DeliveredOutcome, type FailedAttempt } from "@glovebox/scan-run";
import { isolationFailure, scanFailure, type ScanFailure, type ScanFailureCode } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import type { ReconcilePlan, Query, RowCommand } from "../plan.ts";
import { failedStep, patchOf, withoutIsolation } from "../status.ts";
import { currentAttemptView, currentAttempt, type World } from "../world.ts";

/** Returns a plan, or undefined to leave the decision to the next rule. */
export type Rule = (world: World) => ReconcilePlan | undefined;

export const planQuery = (rule: string, query: Query): ReconcilePlan => ({
  rule,
  actions: [query],
  decideAgain: true,
});

export const planRowCommand = (rule: string, command: RowCommand): ReconcilePlan => ({
  rule,
  actions: [command],
  decideAgain: true,
});

export const planRecord = (rule: string, outcome: DeliveredOutcome): ReconcilePlan =>
  planRowCommand(rule, { do: "recordOutcome", outcome });

/** Records the failure; all else follows from the row. */
export const fail = (rule: string, code: ScanFailureCode, detail?: string): ReconcilePlan =>
  failWith(rule, scanFailure(code, detail));

export const failWith = (rule: string, failure: ScanFailure): ReconcilePlan =>
  planRecord(rule, { status: "failed", failure });

/**
 * The attempt ended without an outcome: starts another one, or records the failure. The number is raised before anything is
 * deleted, so that after a crash no attempt runs twice.
 */
export function endAttempt(rule: string, world: World, end: FailedAttempt): ReconcilePlan {
  const spent = currentAttempt(world) - canaryLosses(world);
  const failure = failureOf(end);
  const plan = isRetried(end, spent, world.settings.maxAttempts)
    ? nextAttempt(rule, world, { failure })
    : failWith(rule, failure);
  return withNotes(world, plan);
}

/** What the attempt of an active scan wrote is stored before its log is deleted. */
function withNotes(world: World, plan: ReconcilePlan): ReconcilePlan {
  const { row } = world;
  const { number, job } = currentAttemptView(world);
  const isActive = row.state === "processing" && row.request.mode === "active";
  return isActive && job
    ? { ...plan, actions: [{ do: "noteWrites", attempt: number }, ...plan.actions] }
    : plan;
}

/**
 * The proof of the attempt does not count, because its canary was lost: starts another attempt with another canary. These attempts
 * have a separate limit, so that unrelated kinds of failures do not add up.
 */
export function retryWithAnotherCanary(rule: string, world: World, detail: string): ReconcilePlan {
  const losses = canaryLosses(world) + 1;
  const failure = isolationFailure("CanaryLost", detail);
  return losses > world.settings.maxCanaryLosses
    ? failWith(rule, failure)
    : withNotes(world, nextAttempt(rule, world, { failure, changes: { canaryLosses: losses } }));
}

const canaryLosses = ({ scan }: World): number => scan.status?.canaryLosses ?? 0;

function nextAttempt(
  rule: string,
  world: World,
  { failure, changes }: { readonly failure: ScanFailure; readonly changes?: Partial<ScanStatus> },
): ReconcilePlan {
  const attempt = currentAttempt(world);
  // The policy is deleted with its attempt.
  const updates = [...withoutIsolation(world, failure.message), ...failedStep(failure)];
  return {
    rule,
    actions: [
      ...patchOf(world, { ...changes, ...ofLastJob(world), attempt: attempt + 1, phase: "Pending" }, updates),
      { do: "deleteAttempt", attempt },
    ],
  };
}

/** The UID of the Job is kept in the status, to find its pods. */
function ofLastJob(world: World): Pick<ScanStatus, "jobUid"> {
  const { uid: jobUid = world.seenJobUid } = currentAttemptView(world).job ?? {};
  return { ...(jobUid !== undefined && { jobUid }) };
}

export const secondsSince = (then: Date, now: Date): number => (now.getTime() - then.getTime()) / 1000;

/** How long a deleted object may stay in the cache, in seconds. */
export const LINGERS_SECONDS = 5;

/** An attempt was just deleted, and its objects may still be in the cache. */
export const isDeleting = ({ deletedAt, now }: World): boolean =>
  deletedAt !== undefined && secondsSince(deletedAt, now) < LINGERS_SECONDS;

/** Requeues a second after a limit that is due in this many seconds. */
export const requeueIn = (seconds: number): Pick<ReconcilePlan, "requeueAfterSeconds"> => ({
  requeueAfterSeconds: Math.max(1, Math.ceil(seconds) + 1),
});
