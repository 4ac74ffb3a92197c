import { attemptDeadlineSeconds, scanDeadlineSeconds } from "../settings.ts";
import { attemptInHand } from "../world.ts";
import { fail, secondsSince, type Rule } from "./rule.ts";

/** Whatever else goes wrong, no scan stays unfinished past its deadline and grace. */
export const watchdog: Rule = (world) => {
  const { scan, settings, now } = world;
  const { job } = attemptInHand(world);
  const age = secondsSince(new Date(scan.metadata.creationTimestamp), now);
  if (age > scanDeadlineSeconds(settings)) return fail("watchdog", "deadline_exceeded");
  if (!job || secondsSince(job.createdAt, now) <= attemptDeadlineSeconds(settings)) return undefined;
  // A complete Job whose report could not be read in all this time has lost it.
  return fail("watchdog", job.ended?.how === "complete" ? "result_lost" : "deadline_exceeded");
};
