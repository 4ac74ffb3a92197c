import {
  type DeliveredOutcome,
  isolationFailure,
  scanFailure,
  type ScanFailure,
  type ScanFailureCode,
} from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import type { ReconcilePlan, Query, RowCommand } from "../plan.ts";
import { failedStep, patchOf, withoutSeal } from "../status.ts";
import { attemptInHand, currentAttempt, type World } from "../world.ts";

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

/** The scan has failed: that goes on record first, and all else follows from the record. */
export const fail = (rule: string, code: ScanFailureCode, detail?: string): ReconcilePlan =>
  failWith(rule, scanFailure(code, detail));

export const failWith = (rule: string, failure: ScanFailure): ReconcilePlan =>
  planRecord(rule, { status: "failed", failure });

/**
 * The attempt failed, and not because of the target: another one, in a new Job, or after the last one the failure. The number goes up before anything is deleted, so that no crash in between lets an attempt run twice.
 */
export function retry(
  rule: string,
  world: World,
  [code, detail]: [ScanFailureCode, (string | undefined)?],
): ReconcilePlan {
  const spent = currentAttempt(world) - canaryLosses(world);
  const failure = scanFailure(code, detail);
  return spent >= world.settings.maxAttempts
    ? failWith(rule, failure)
    : nextAttempt(rule, world, { failure });
}

/**
 * The attempt's proof does not count, because its canary was lost: another attempt, beside another canary. It does not
 * count among the attempts that `retry` allows, so that two unrelated kinds of failures do not add up.
 */
export function retryBesideAnotherCanary(rule: string, world: World, detail: string): ReconcilePlan {
  const losses = canaryLosses(world) + 1;
  const failure = isolationFailure("CanaryLost", detail);
  return losses > world.settings.maxCanaryLosses
    ? failWith(rule, failure)
    : nextAttempt(rule, world, { failure, changes: { canaryLosses: losses } });
}

const canaryLosses = ({ scan }: World): number => scan.status?.canaryLosses ?? 0;

function nextAttempt(
  rule: string,
  world: World,
  { failure, changes }: { readonly failure: ScanFailure; readonly changes?: Partial<ScanStatus> },
): ReconcilePlan {
  const attempt = currentAttempt(world);
  // The policy goes with its attempt.
  const updates = [...withoutSeal(world, failure.message), ...failedStep(failure)];
  return {
    rule,
    actions: [
      ...patchOf(world, { ...changes, ...ofLastJob(world), attempt: attempt + 1, phase: "Pending" }, updates),
      { do: "deleteAttempt", attempt },
    ],
  };
}

/** So that its pods are known as long as they are there. */
function ofLastJob(world: World): Pick<ScanStatus, "jobUid"> {
  const { uid: jobUid = world.seenJobUid } = attemptInHand(world).job ?? {};
  return { ...(jobUid !== undefined && { jobUid }) };
}

export const secondsSince = (then: Date, now: Date): number => (now.getTime() - then.getTime()) / 1000;

/** A deleted object may stay in the cache for so long. In seconds. */
export const LINGERS_SECONDS = 5;

/** An attempt of the scan was deleted a moment ago, and its objects may still be in the cache. */
export const isTidying = ({ deletedAt, now }: World): boolean =>
  deletedAt !== undefined && secondsSince(deletedAt, now) < LINGERS_SECONDS;

/** Requeues for a limit that is due in so many seconds: a second later, so that it is over by then. */
export const requeueIn = (seconds: number): Pick<ReconcilePlan, "requeueAfterSeconds"> => ({
  requeueAfterSeconds: Math.max(1, Math.ceil(seconds) + 1),
});
