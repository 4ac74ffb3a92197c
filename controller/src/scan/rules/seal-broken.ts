import { attemptInHand, type AttemptView } from "../world.ts";
import { retry, type Rule } from "./rule.ts";

/**
 * The attempt's own policy is not the one that its Job was started with, or not as it was then: removed or changed, be it
 * for a moment. A target that fell silent because of it looks like one without findings, so whatever the scanner reports
 * is not read. Another attempt gets a policy and a Job of its own.
 */
export const sealBroken: Rule = (world) => {
  const found = breachOf(attemptInHand(world));
  return found === undefined ? undefined : retry("sealBroken", world, ["seal_broken", found]);
};

function breachOf({ policy, job }: AttemptView): string | undefined {
  if (!policy) return job && "Its NetworkPolicy was deleted.";
  if (!policy.isAsMade) return "Its NetworkPolicy was changed.";
  // A Job of an earlier release does not say which policy it was started with.
  if (job?.policy === undefined || job.policy === policy.version) return undefined;
  const [uid] = policy.version.split("/");
  return job.policy.startsWith(`${uid}/`)
    ? "Its NetworkPolicy was changed and changed back."
    : "Its NetworkPolicy was deleted and recreated.";
}
