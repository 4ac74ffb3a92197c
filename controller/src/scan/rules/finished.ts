import { scanFailure } from "@glovebox/contract";
import { API_NAME, LABELS } from "@glovebox/k8s";
import type { Action } from "../action.ts";
import { endingOf, failedEnding, type Ending } from "../ending-status.ts";
import { conditionOf, patchOf } from "../status.ts";
import type { World } from "../world.ts";
import { fail, requeueIn, secondsSince, type Rule } from "./rule.ts";

/** Whoever finished the scan deletes its attempts, too: what is seen of them so soon after is on its way out. In seconds. */
const TIDIED_SECONDS = 5;

/** The one latch: a finished scan is never rewritten. What is left of it goes, and some time later the Scan itself. */
export const alreadyFinished: Rule = ({ scan, isDeleted, attempts, settings, now }) => {
  const finishedAt = scan.status?.finishedAt;
  if (finishedAt === undefined) return undefined;
  const rule = "alreadyFinished";
  if (isDeleted) return { rule, actions: [] };
  const age = secondsSince(new Date(finishedAt), now);
  // A pod goes by itself once its Job has gone.
  const leftovers = attempts.filter(({ job, policy }) => job || policy);
  if (leftovers.length > 0 && age < TIDIED_SECONDS)
    return { rule, actions: [requeueIn(TIDIED_SECONDS - age)] };
  if (leftovers.length > 0) return { rule, actions: deletionsOf(leftovers) };
  const left = settings.ttlSeconds - age;
  return left <= 0
    ? { rule: "ttlExpired", actions: [{ do: "deleteScan" }] }
    : { rule, actions: [requeueIn(left)] };
};

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
  conditionOf(world, "Accepted")?.status === "True" ||
  world.attempts.length > 0 ||
  world.scan.metadata.labels?.[LABELS.managedBy] === API_NAME;

/** Latch first, then tidy up; whatever a crash leaves in between, `alreadyFinished` finds. */
export const finish = (world: World, { changes, sayings }: Ending): Action[] => [
  ...patchOf(world, { ...changes, finishedAt: world.now.toISOString() }, sayings),
  ...deletionsOf(world.attempts),
];

const deletionsOf = (attempts: World["attempts"]): Action[] =>
  attempts.map(({ number }) => ({ do: "deleteAttempt", attempt: number }));
