import { scanFailure } from "@glovebox/contract";
import { claimsRow } from "@glovebox/k8s";
import type { Action } from "../action.ts";
import { endingOf, failedEnding, type Ending } from "../ending-status.ts";
import { conditionOf, patchOf } from "../status.ts";
import type { AttemptView, World } from "../world.ts";
import { fail, isTidying, LINGERS_SECONDS, requeueIn, secondsSince, type Rule } from "./rule.ts";

/**
 * The one latch: a finished scan is never rewritten. What it left can be looked at for a while, and many scans at once are
 * not held up by tidying (ADR 7); then it goes, and some time later the Scan itself.
 */
export const alreadyFinished: Rule = (world) => {
  const { scan, isDeleted, attempts, settings, now } = world;
  const finishedAt = scan.status?.finishedAt;
  if (finishedAt === undefined) return undefined;
  const rule = "alreadyFinished";
  if (isDeleted) return { rule, actions: [] };
  const age = secondsSince(new Date(finishedAt), now);
  if (age >= settings.ttlSeconds) return { rule: "ttlExpired", actions: [{ do: "deleteScan" }] };
  const leftovers = attempts.filter(isLeftover);
  if (leftovers.length === 0) return { rule, actions: [requeueIn(settings.ttlSeconds - age)] };
  if (isTidying(world)) return { rule, actions: [requeueIn(LINGERS_SECONDS)] };
  const due = age >= settings.jobTtlSeconds ? leftovers : leftovers.filter((attempt) => !isSpent(attempt));
  if (due.length > 0) return { rule, actions: deletionsOf(due) };
  return { rule, actions: [requeueIn(Math.min(settings.jobTtlSeconds, settings.ttlSeconds) - age)] };
};

/** A pod goes by itself once its Job has gone. */
const isLeftover = ({ job, policy }: AttemptView): boolean => job !== undefined || policy !== undefined;

/** Nothing of it runs any more. */
const isSpent = ({ job }: AttemptView): boolean => job?.ended !== undefined;

/** The store has the last word: a recorded report, a recorded failure, or a cancellation. */
export const rowEnded: Rule = (world) => {
  const { row, isDeleted } = world;
  if (row.state !== "completed" && row.state !== "failed") return undefined;
  const isCancelled = row.state === "failed" && row.failure.code === "cancelled";
  const rule = isCancelled ? "cancelled" : "reportRecorded";
  return { rule, actions: isDeleted ? [] : finish(world, endingOf(row)) };
};

/** Deleted while it was processing: cancelled. What it owned is collected by Kubernetes. */
export const scanDeleted: Rule = ({ isDeleted, row }) => {
  if (!isDeleted) return undefined;
  return row.state === "processing" ? fail("scanDeleted", "cancelled") : { rule: "scanDeleted", actions: [] };
};

/** It was on record and is no more: cancelled and erased. Nobody is charged for it again. */
export const rowErased: Rule = (world) => {
  if (world.row.state !== "absent" || !wasOnRecord(world)) return undefined;
  return { rule: "rowErased", actions: finish(world, failedEnding(scanFailure("cancelled"))) };
};

/** The API makes a Scan after its row; by hand it is the other way about, and an attempt comes after both. */
const wasOnRecord = (world: World): boolean =>
  conditionOf(world, "Accepted")?.status === "True" || world.attempts.length > 0 || claimsRow(world.scan);

/** Latch first, then stop what still runs; whatever a crash leaves in between, `alreadyFinished` finds. */
export const finish = (world: World, { changes, sayings }: Ending): Action[] => [
  ...patchOf(world, { ...changes, finishedAt: world.now.toISOString() }, sayings),
  ...deletionsOf(world.attempts.filter((attempt) => !isSpent(attempt))),
];

const deletionsOf = (attempts: World["attempts"]): Action[] =>
  attempts.map(({ number }) => ({ do: "deleteAttempt", attempt: number }));
