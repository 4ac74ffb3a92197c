import { flawOf, refuse } from "./not-accepted.ts";
import { ask, type Rule } from "./rule.ts";

/**
 * A row is of one Scan: the one that the API made for it, or that it was made from. Any other Scan that has its id, by
 * whatever name and label, is refused and changes nothing of it, not even by being deleted.
 */
export const notItsRow: Rule = (world) => {
  const { row, scan, isDeleted, answers } = world;
  const mayBeIts = row.state === "unbound" && !answers.binding && flawOf(scan.spec) === undefined;
  if (mayBeIts) return ask("bind", { do: "bind" });
  if (row.state !== "unbound" && row.state !== "foreign") return undefined;
  if (isDeleted) return { rule: "notItsRow", actions: [] };
  return { ...refuse(world, "IdentityMismatch", MESSAGE), rule: "notItsRow" };
};

const MESSAGE =
  "The scan of this name is another Scan's, or asks for something else. Scans of the API's cannot be made by hand: choose another name, and leave its label out.";
