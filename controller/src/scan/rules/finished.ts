import { scanFailure } from "@glovebox/contract";
import { claimsRow } from "@glovebox/k8s";
import type { Action } from "../plan.ts";
import { conditionOf, type Ending, endingOf, failedEnding, patchOf } from "../status.ts";
import { type AttemptView, isAtHome, type World } from "../world.ts";
import { fail, isTidying, LINGERS_SECONDS, requeueIn, type Rule, secondsSince } from "./rule.ts";

/**
 * The status of a finished scan is never rewritten. Its Job can be inspected for a while, and many scans at once are not delayed
 * by cleanup (ADR 7); then it is deleted, and some time later the Scan itself.
 */
export const alreadyFinished: Rule = (world) => {
  const { scan, isDeleted, attempts, settings, now } = world;
  const finishedAt = scan.status?.finishedAt;
  if (finishedAt === undefined) return undefined;
  const rule = "alreadyFinished";
  if (isDeleted) return { rule, actions: uncollected(world) };
  const isOurs = isAtHome(world);
  const age = secondsSince(new Date(finishedAt), now);
  // The Scans of another namespace are not this installation's to delete.
  if (isOurs && age >= settings.ttlSeconds) return { rule: "ttlExpired", actions: [{ do: "deleteScan" }] };
  const leftovers = attempts.filter(isLeftover);
  if (leftovers.length === 0)
    return { rule, actions: [], ...(isOurs && requeueIn(settings.ttlSeconds - age)) };
  if (isTidying(world)) return { rule, actions: [], ...requeueIn(LINGERS_SECONDS) };
  const due = age >= settings.jobTtlSeconds ? leftovers : leftovers.filter((attempt) => !isSpent(attempt));
  if (due.length > 0) return { rule, actions: deletionsOf(due) };
  const until = isOurs ? Math.min(settings.jobTtlSeconds, settings.ttlSeconds) : settings.jobTtlSeconds;
  return { rule, actions: [], ...requeueIn(until - age) };
};

/** Kubernetes deletes the pod after its Job. */
const isLeftover = ({ job, policy }: AttemptView): boolean => job !== undefined || policy !== undefined;

/** Nothing of it runs any more. */
const isSpent = ({ job }: AttemptView): boolean => job?.ended !== undefined;

/** The row decides: a recorded report, a recorded failure, or a cancellation. */
export const rowEnded: Rule = (world) => {
  const { row, isDeleted } = world;
  if (row.state !== "completed" && row.state !== "failed") return undefined;
  const isCancelled = row.state === "failed" && row.failure.code === "cancelled";
  const rule = isCancelled ? "cancelled" : "reportRecorded";
  return { rule, actions: isDeleted ? uncollected(world) : finish(world, endingOf(row)) };
};

/** Deleted while it was processing: cancelled. */
export const scanDeleted: Rule = (world) => {
  if (!world.isDeleted) return undefined;
  if (world.row.state === "processing") return fail("scanDeleted", "cancelled");
  return { rule: "scanDeleted", actions: uncollected(world) };
};

/** What Kubernetes does not collect after a deleted Scan: in another namespace it owned nothing. */
const uncollected = (world: World): Action[] =>
  isAtHome(world) ? [] : deletionsOf(world.attempts.filter(isLeftover));

/** Its row was deleted: the scan was cancelled and erased. It is not charged again. */
export const rowErased: Rule = (world) => {
  if (world.row.state !== "absent" || !wasOnRecord(world)) return undefined;
  return { rule: "rowErased", actions: finish(world, failedEnding(scanFailure("cancelled"))) };
};

/** The API makes a Scan after its row; by hand it is the other way about, and an attempt comes after both. */
export const wasOnRecord = (world: World): boolean =>
  conditionOf(world, "Accepted")?.status === "True" || world.attempts.length > 0 || claimsRow(world.scan);

/** The status first, then stop what still runs; what a crash leaves in between, `alreadyFinished` deletes. */
export const finish = (world: World, { changes, conditions }: Ending): Action[] => [
  ...patchOf(world, { ...changes, finishedAt: world.now.toISOString() }, conditions),
  ...deletionsOf(world.attempts.filter((attempt) => !isSpent(attempt))),
];

const deletionsOf = (attempts: World["attempts"]): Action[] =>
  attempts.map(({ number }) => ({ do: "deleteAttempt", attempt: number }));
