import { inconclusive } from "./check.ts";
import type { Result } from "./runner.ts";
import type { Task } from "./schedule.ts";
import type { Loss } from "./supervisor.ts";

/** Reason for each subject that was left out. */
export const UNAFFORDABLE = "Left out: requests or time of the scan were used up by more valuable tests.";
export const OVER_LIMIT =
  "Left out: the operation had been sent as many requests as one may be, or requests to it end the target.";

/** Reason for each subject whose result the outage made invalid. */
export const INTERRUPTIONS: Record<Loss, string> = {
  blocking: "The target began to block or throttle the scan.",
  unresponsive: "The target stopped answering during the scan.",
};

/** Reason for a subject whose examination crashed the target. */
export const ENDED = "The target stopped answering at a request of this test, twice.";

/** The result of a task that was not examined, or whose examination does not count. */
export const leftOut = ({ check, subject }: Task, reason: string): Result => ({
  check,
  subject,
  verdict: inconclusive(reason),
  reach: "untried",
});

/** A note for the report when the target did not stay healthy until the end of the scan, with the last tests. */
export const interruptionsOf = (results: readonly Result[]): string[] =>
  Object.values(INTERRUPTIONS).flatMap((reason) => {
    const spoilt = results.filter(({ verdict }) => "reason" in verdict && verdict.reason === reason);
    const checks = [...new Set(spoilt.map(({ check }) => check.id))];
    return checks.length === 0
      ? []
      : [`${reason} Under way or still to come: ${checks.slice(0, 5).join(", ")}…`];
  });
