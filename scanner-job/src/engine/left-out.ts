import type { ScanOrder } from "@glovebox/contract";
import { USED_UP } from "../transport/network-error.ts";
import { inconclusive } from "./check.ts";
import type { Result } from "./runner.ts";
import type { Task } from "./schedule.ts";
import type { Loss } from "./supervisor.ts";

/** What the order of a scan limits as a whole. */
export type Budget = "requests" | "time";

/** Shares of the requests and of the time of a scan that are left. */
export const remaining = (
  { maxRequests, deadlineSeconds }: ScanOrder["limits"],
  sent: number,
  elapsedMs: number,
) => ({
  requests: 1 - sent / maxRequests,
  time: 1 - elapsedMs / 1000 / deadlineSeconds,
});

/** Reason for each subject that was left out. */
export const UNAFFORDABLE: Record<Budget, string> = {
  requests: "Left out: the requests of the scan were used up by more valuable tests.",
  time: "Left out: the time of the scan was used up by more valuable tests.",
};
export const OVER_LIMIT = "Left out: the operation had been sent as many requests as one may be.";

/** Reason for each subject whose result the outage made invalid. */
export const INTERRUPTIONS: Record<Loss, string> = {
  blocking: "The target began to block or throttle the scan.",
  unresponsive: "The target stopped answering during the scan.",
};

/** Reason for each subject that was left out because of crashes. */
export const CRASHES = "Left out: the target had crashed at several requests, and must not be kept down.";

/** The result of a task that was not examined, or whose examination does not count. */
export const leftOut = ({ check, subject }: Task, reason: string): Result => ({
  check,
  subject,
  verdict: inconclusive(reason),
  reach: "untried",
});

/** What a scan ran out of before its end, and how many tests have no result because of it. */
export interface Exhaustion {
  readonly of: Budget;
  readonly tests: number;
}

/** Undefined for a scan that did all that it planned, or that ended for another reason. Pure. */
export function exhaustionIn(results: readonly Result[]): Exhaustion | undefined {
  const reasons = results.flatMap(({ verdict }) => ("reason" in verdict ? [verdict.reason] : []));
  const ends = (["requests", "time"] as const).map((of): Exhaustion => {
    const tests = reasons.filter((reason) => reason === UNAFFORDABLE[of] || reason === `${USED_UP[of]}.`);
    return { of, tests: tests.length };
  });
  return ends.filter(({ tests }) => tests > 0).toSorted((a, b) => b.tests - a.tests)[0];
}

function noteOnExhaustion(
  { of, tests }: Exhaustion,
  { maxRequests, deadlineSeconds }: ScanOrder["limits"],
): string {
  const limit =
    of === "requests" ? `limit of ${maxRequests} requests` : `time limit of ${deadlineSeconds} seconds`;
  return `The scan reached its ${limit}: ${tests} tests were left out. This says nothing about the target; a higher limit tests more.`;
}

/** Notes for the report on a scan that did not do all that it planned: because of the target, or by a limit of its own. */
export function notesOnEnd(results: readonly Result[], limits: ScanOrder["limits"]): string[] {
  const exhaustion = exhaustionIn(results);
  return [...interruptionsOf(results), ...(exhaustion ? [noteOnExhaustion(exhaustion, limits)] : [])];
}

/** Where the target did not stay healthy until the end of the scan: the last tests. */
const interruptionsOf = (results: readonly Result[]): string[] =>
  Object.values(INTERRUPTIONS).flatMap((reason) => {
    const spoilt = results.filter(({ verdict }) => "reason" in verdict && verdict.reason === reason);
    const checks = [...new Set(spoilt.map(({ check }) => check.id))];
    return checks.length === 0
      ? []
      : [`${reason} Under way or still to come: ${checks.slice(0, 5).join(", ")}…`];
  });
