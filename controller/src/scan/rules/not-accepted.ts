import { ApiError, parseTargetUrl } from "@glovebox/contract";
import type { Reason } from "@glovebox/k8s";
import type { Plan } from "../plan.ts";
import type { World } from "../world.ts";
import { finish } from "./finished.ts";
import { write, type Rule } from "./rule.ts";

/** Nobody was charged yet: an unusable address, an unknown account or an exhausted quota end here, without a Job. */
export const notAccepted: Rule = (world) => {
  if (world.row.state !== "absent") return undefined;
  const flaw = flawOf(world.scan.spec);
  if (flaw !== undefined) return refuse(world, "InvalidTarget", flaw);
  const { adoption } = world.answers;
  return adoption ? refuse(world, adoption.refused, adoption.message) : write("adopt", { do: "adopt" });
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

const refuse = (world: World, reason: Reason, message: string): Plan => ({
  rule: "notAccepted",
  actions: finish(world, {
    changes: { phase: "Failed" },
    conditions: [{ type: "Accepted", status: "False", reason, message }],
  }),
});
