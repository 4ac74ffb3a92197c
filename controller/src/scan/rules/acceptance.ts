import { ApiError, parseTargetUrl, type ScanFailure } from "@glovebox/contract";
import { claimsRow, type Reason } from "@glovebox/k8s";
import type { ReconcilePlan } from "../plan.ts";
import { conditionOf, type ConditionUpdate, failedEnding, patchOf } from "../status.ts";
import { isInScanNamespace, type World } from "../world.ts";
import { finish } from "./finished.ts";
import { identitiesError } from "./identities.ts";
import { requeueIn, type Rule, secondsSince, planRowCommand } from "./rule.ts";

/**
 * A row belongs to one Scan: the one that the API created for it, or from which it was adopted. Any other Scan with its id is
 * refused and does not affect the row, not even when it is deleted.
 */
export const notItsRow: Rule = (world) => {
  const { row, scan, isDeleted, responses, now } = world;
  // The API creates Scans in one namespace only.
  const isPlausible = specError(scan.spec) === undefined && (isInScanNamespace(world) || !claimsRow(scan));
  if (row.state === "unbound" && !responses.binding && isPlausible)
    return planRowCommand("bind", { do: "bind" });
  if (row.state !== "unbound" && row.state !== "ofAnother") return undefined;
  // Nothing is stopped: objects with the label of this id may belong to the other Scan.
  const refused = { phase: "Failed", finishedAt: now.toISOString() } as const;
  return { rule: "notItsRow", actions: isDeleted ? [] : patchOf(world, refused, [IDENTITY_MISMATCH]) };
};

const IDENTITY_MISMATCH: ConditionUpdate = {
  type: "Accepted",
  status: "False",
  reason: "IdentityMismatch",
  message:
    "The scan with this name belongs to another Scan or has a different spec. Choose another name, and remove the label app.kubernetes.io/managed-by: it is reserved for Scans that the API creates.",
};

/** How long scans wait for their database. In seconds. */
const RECORD_WAIT_SECONDS = 600;

/**
 * The scan had a row and has none now. A cancelled scan keeps its row, so the database was replaced or emptied. The scan is not
 * stopped for ten minutes, in which the right database may return (docs/adr/0014), and it is not accepted again: the account would
 * be charged twice.
 */
export const recordMissing: Rule = (world) => {
  const { row, now } = world;
  if (row.state !== "absent" || !hadRow(world)) return undefined;
  const rule = "recordMissing";
  const shown = conditionOf(world, "ReportRecorded");
  const since = shown?.reason === WAITING.reason ? new Date(shown.lastTransitionTime) : now;
  const left = RECORD_WAIT_SECONDS - secondsSince(since, now);
  if (left > 0) return { rule, actions: patchOf(world, {}, [WAITING]), ...requeueIn(left) };
  return { rule, actions: finish(world, failedEnding(RECORD_MISSING, WAITING.reason)) };
};

/** The scan had a row: the API creates a Scan after its row, and an attempt starts after the row exists. */
const hadRow = (world: World): boolean =>
  conditionOf(world, "Accepted")?.status === "True" || world.attempts.length > 0 || claimsRow(world.scan);

const RECORD_MISSING: ScanFailure = {
  code: "result_lost",
  message: "The database has no record of the scan: it was replaced or emptied after the scan was accepted.",
};
const WAITING: ConditionUpdate = {
  type: "ReportRecorded",
  status: "Unknown",
  reason: "RecordMissing",
  message: `${RECORD_MISSING.message} The scan fails unless the record is back within ten minutes.`,
};

/** Accepts the scan, or refuses it without a Job: an invalid URL, identities of others, an unknown account, an exhausted quota. */
export const notAccepted: Rule = (world) => {
  if (world.row.state !== "absent") return undefined;
  const error = specError(world.scan.spec);
  if (error !== undefined) return refuse(world, "InvalidTarget", error);
  const ofIdentities = identitiesError(world);
  if (ofIdentities !== undefined) return refuse(world, "IdentitiesNotAllowed", ofIdentities);
  const { adoption } = world.responses;
  return adoption
    ? refuse(world, adoption.refused, adoption.message)
    : planRowCommand("adopt", { do: "adopt" });
};

/** Why the URLs of the spec are invalid; undefined if they are valid. Where plain HTTP may go, their addresses decide later. */
export function specError({ url, specUrl }: World["scan"]["spec"]): string | undefined {
  try {
    parseTargetUrl("url", url, "https or http");
    if (specUrl !== undefined) parseTargetUrl("specUrl", specUrl, "https or http");
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
