import type { ScanOrder } from "@glovebox/contract";
import { interrupted, type Budget, type Interruption } from "./check.ts";
import { REASONS } from "./reasons.ts";
import type { Result } from "./result.ts";
import type { Task } from "./task.ts";

/** Shares of the requests and of the time of a scan that are left. */
export const remaining = (
  { maxRequests, deadlineSeconds }: ScanOrder["limits"],
  sent: number,
  elapsedMs: number,
) => ({
  requests: 1 - sent / maxRequests,
  time: 1 - elapsedMs / 1000 / deadlineSeconds,
});

/** The result of a task that was not examined, or whose examination does not count. */
export const leftOut = ({ check, subject }: Task, cause: Interruption): Result => ({
  check,
  subject,
  verdict: interrupted(cause),
  reach: "untried",
});

/** What a scan ran out of before its end, and how many tests have no result because of it. */
export interface Exhaustion {
  readonly of: Budget;
  readonly tests: number;
}

/** Undefined for a scan that did all that it planned, or that ended for another reason. Pure. */
export function exhaustionIn(results: readonly Result[]): Exhaustion | undefined {
  const ends = (["requests", "time"] as const).map((of): Exhaustion => ({
    of,
    tests: interruptedBy(of, results).length,
  }));
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

/** Notes for the report on a scan that did not do all that it planned: because of the target, or by its own limit. */
export function notesOnEnd(results: readonly Result[], limits: ScanOrder["limits"]): string[] {
  const exhaustion = exhaustionIn(results);
  return [
    ...interruptionsOf(results),
    ...cutIn(results),
    ...(exhaustion ? [noteOnExhaustion(exhaustion, limits)] : []),
  ];
}

/** Where tests had no verdict because their responses were cut. */
function cutIn(results: readonly Result[]): string[] {
  const { length } = interruptedBy("response_cut", results);
  return length === 0 ? [] : [`${REASONS.response_cut} This left ${length} tests without a result.`];
}

/** Where the target did not stay healthy until the end of the scan: the last tests. */
const interruptionsOf = (results: readonly Result[]): string[] =>
  (["blocking", "unresponsive"] as const).flatMap((loss) => {
    const checks = [...new Set(interruptedBy(loss, results).map(({ check }) => check.id))];
    return checks.length === 0
      ? []
      : [`${REASONS[loss]} Running or still to come: ${checks.slice(0, 5).join(", ")}…`];
  });

const interruptedBy = (cause: Interruption, results: readonly Result[]): readonly Result[] =>
  results.filter(({ verdict }) => verdict.outcome === "inconclusive" && verdict.cause === cause);
