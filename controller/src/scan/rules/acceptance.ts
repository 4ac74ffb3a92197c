import { ApiError, parseTargetUrl, scanFailure } from "@glovebox/contract";
import { claimsRow, type Reason, type ScanResource } from "@glovebox/k8s";
import type { ReconcilePlan } from "../plan.ts";
import { type ConditionUpdate, failedEnding, patchOf } from "../status.ts";
import { isAtHome, type World } from "../world.ts";
import { finish, wasOnRecord } from "./finished.ts";
import { requeueIn, type Rule, secondsSince, planRowCommand } from "./rule.ts";

/**
 * A row is of one Scan: the one that the API made for it, or that it was made from. Any other Scan that has its id, by
 * whatever name and label, is refused and changes nothing of it, not even by being deleted.
 */
export const notItsRow: Rule = (world) => {
  const { row, scan, isDeleted, answers, now } = world;
  // The API makes its Scans in one namespace.
  const isPlausible = flawOf(scan.spec) === undefined && (isAtHome(world) || !claimsRow(scan));
  if (row.state === "unbound" && !answers.binding && isPlausible)
    return planRowCommand("bind", { do: "bind" });
  if (row.state !== "unbound" && row.state !== "foreign") return undefined;
  // Nothing is stopped: what carries the label of this id may be the other Scan's.
  const refused = { phase: "Failed", finishedAt: now.toISOString() } as const;
  return { rule: "notItsRow", actions: isDeleted ? [] : patchOf(world, refused, [IDENTITY_MISMATCH]) };
};

const IDENTITY_MISMATCH: ConditionUpdate = {
  type: "Accepted",
  status: "False",
  reason: "IdentityMismatch",
  message:
    "The scan with this name belongs to another Scan or has another spec. Choose another name, and remove the label app.kubernetes.io/managed-by: it is reserved for Scans that the API creates.",
};

/** Clocks differ, and an installation is noted a moment after it begins. In seconds. */
export const NEW_SCAN_SECONDS = 60;
/** How long a database may be the wrong one. In seconds. */
export const RECORD_PATIENCE_SECONDS = 600;

/**
 * It was accepted before this database knew the installation: the record is in another database, because this one took
 * its place or was emptied. Nothing is stopped for a while, in which the right one may come back (docs/adr/0014).
 */
export const recordMissing: Rule = (world) => {
  const { row, scan, now } = world;
  if (row.state !== "absent" || row.knownSeconds === undefined || !wasOnRecord(world)) return undefined;
  if (ageSecondsOf(scan, now) <= row.knownSeconds + NEW_SCAN_SECONDS) return undefined;
  const rule = "recordMissing";
  const left = RECORD_PATIENCE_SECONDS - row.knownSeconds;
  if (left > 0) return { rule, actions: patchOf(world, {}, [WAITING]), ...requeueIn(left) };
  return { rule, actions: finish(world, failedEnding(scanFailure("cancelled", GONE))) };
};

export const ageSecondsOf = ({ metadata }: ScanResource, now: Date): number =>
  secondsSince(new Date(metadata.creationTimestamp), now);

const GONE = "The database in which it was accepted was replaced or emptied.";
const WAITING: ConditionUpdate = {
  type: "ReportRecorded",
  status: "Unknown",
  reason: "RecordMissing",
  message:
    "The database has no row of this scan: it was replaced or emptied after the scan was accepted. The scan fails unless the row is back within ten minutes.",
};

/** Not charged yet: an unusable address, an unknown account or an exhausted quota end here, without a Job. */
export const notAccepted: Rule = (world) => {
  if (world.row.state !== "absent") return undefined;
  const flaw = flawOf(world.scan.spec);
  if (flaw !== undefined) return refuse(world, "InvalidTarget", flaw);
  const { adoption } = world.answers;
  return adoption
    ? refuse(world, adoption.refused, adoption.message)
    : planRowCommand("adopt", { do: "adopt" });
};

/** Why its addresses cannot be scanned as they are written. */
export function flawOf({ url, specUrl }: World["scan"]["spec"]): string | undefined {
  try {
    parseTargetUrl("url", url);
    if (specUrl !== undefined) parseTargetUrl("specUrl", specUrl);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

const refuse = (world: World, reason: Reason, message: string): ReconcilePlan => ({
  rule: "notAccepted",
  actions: finish(world, {
    changes: { phase: "Failed" },
    conditions: [{ type: "Accepted", status: "False", reason, message }],
  }),
});
