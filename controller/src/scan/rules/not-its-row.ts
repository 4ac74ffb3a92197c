import { claimsRow } from "@glovebox/k8s";
import { isAtHome } from "../world.ts";
import { patchOf, type ConditionUpdate } from "../status.ts";
import { flawOf } from "./not-accepted.ts";
import { write, type Rule } from "./rule.ts";

/**
 * A row is of one Scan: the one that the API made for it, or that it was made from. Any other Scan that has its id, by
 * whatever name and label, is refused and changes nothing of it, not even by being deleted.
 */
export const notItsRow: Rule = (world) => {
  const { row, scan, isDeleted, answers, now } = world;
  // The API makes its Scans in one namespace.
  const isPlausible = flawOf(scan.spec) === undefined && (isAtHome(world) || !claimsRow(scan));
  if (row.state === "unbound" && !answers.binding && isPlausible) return write("bind", { do: "bind" });
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
