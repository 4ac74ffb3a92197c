import { REASONS } from "@glovebox/k8s";
import { bySchedule } from "../../kubernetes/ownership.ts";
import type { Action } from "../plan.ts";
import { type ConditionUpdate, type Ending, endingOf, patchOf } from "../status.ts";
import { type AttemptView, isInScanNamespace, noteOnInjectedContainers, type World } from "../world.ts";
import { deletionOfIdentities } from "./identities.ts";
import { fail, isDeleting, LINGERS_SECONDS, requeueIn, type Rule, secondsSince } from "./rule.ts";

/**
 * The status of a finished scan does not change. Its Job is kept for inspection, and so that deletions do not delay other scans
 * (ADR 7); then it is deleted, and later the Scan itself.
 */
export const alreadyFinished: Rule = (world) => {
  const { scan, isDeleted, attempts, settings, now } = world;
  const finishedAt = scan.status?.finishedAt;
  if (finishedAt === undefined) return undefined;
  const rule = "alreadyFinished";
  if (isDeleted) return { rule, actions: uncollected(world) };
  const expires = mayExpire(world);
  const age = secondsSince(new Date(finishedAt), now);
  if (expires && age >= settings.ttlSeconds) return { rule: "ttlExpired", actions: [{ do: "deleteScan" }] };
  const leftovers = attempts.filter(isLeftover);
  if (leftovers.length === 0)
    return { rule, actions: [], ...(expires && requeueIn(settings.ttlSeconds - age)) };
  if (isDeleting(world)) return { rule, actions: [], ...requeueIn(LINGERS_SECONDS) };
  const due =
    age >= settings.jobTtlSeconds ? leftovers : leftovers.filter((attempt) => !hasJobEnded(attempt));
  if (due.length > 0) return { rule, actions: deletionsOf(due) };
  const until = expires ? Math.min(settings.jobTtlSeconds, settings.ttlSeconds) : settings.jobTtlSeconds;
  return { rule, actions: [], ...requeueIn(until - age) };
};

/** Scans of team namespaces are not deleted, and Scans of schedules by the limits of their schedule. */
const mayExpire = (world: World): boolean => isInScanNamespace(world) && bySchedule(world.scan).length === 0;

/** Pods do not count: Kubernetes deletes them after their Job. */
const isLeftover = ({ job, policy }: AttemptView): boolean => job !== undefined || policy !== undefined;

/** Its Job has ended, and nothing of it runs. */
const hasJobEnded = ({ job }: AttemptView): boolean => job?.ended !== undefined && !job.isPodRunning;

/** The row decides: a recorded report, a recorded failure, or a cancellation. */
export const rowEnded: Rule = (world) => {
  const { row, isRemoved } = world;
  if (row.state !== "completed" && row.state !== "failed") return undefined;
  const isCancelled = row.state === "failed" && row.failure.code === "cancelled";
  const rule = isCancelled ? "cancelled" : "reportRecorded";
  return { rule, actions: isRemoved ? uncollected(world) : finish(world, endingOf(row)) };
};

/** Deleted while it was processing: cancelled. */
export const scanDeleted: Rule = (world) => {
  if (!world.isDeleted) return undefined;
  if (world.row.state === "processing") return fail("scanDeleted", "cancelled");
  return { rule: "scanDeleted", actions: uncollected(world) };
};

/**
 * Objects that Kubernetes does not delete with the Scan: owner references do not work across namespaces, and a Scan that somebody's
 * finalizer keeps is not deleted yet.
 */
const uncollected = (world: World): Action[] =>
  world.isRemoved && isInScanNamespace(world) ? [] : deletionsOf(world.attempts.filter(isLeftover));

/** Writes the status first, then stops what still runs; after a crash in between, `alreadyFinished` does that. */
export const finish = (world: World, { changes, conditions }: Ending): Action[] => [
  ...deletionOfIdentities(world),
  ...patchOf(
    world,
    { ...changes, finishedAt: world.now.toISOString() },
    conditions.map((condition) => withNote(condition, noteOnInjectedContainers(world))),
  ),
  ...deletionsOf(world.attempts.filter((attempt) => !hasJobEnded(attempt))),
];

/** The note belongs to what may be its effect: the end of the scan, and the step that failed. */
const withNote = (condition: ConditionUpdate, note: string | undefined): ConditionUpdate =>
  note === undefined || (condition.status === "True" && condition.type !== "ReportRecorded")
    ? condition
    : { ...condition, message: `${condition.message ?? `${REASONS[condition.reason]}.`} ${note}` };

const deletionsOf = (attempts: World["attempts"]): Action[] =>
  attempts.map(({ number }) => ({ do: "deleteAttempt", attempt: number }));
