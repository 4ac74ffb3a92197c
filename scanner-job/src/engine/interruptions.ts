import type { Result } from "./runner.ts";
import type { Loss } from "./supervisor.ts";

/** Reason for each subject whose result the outage made invalid. */
export const INTERRUPTIONS: Record<Loss, string> = {
  blocking: "The target began to block or throttle the scan.",
  unresponsive: "The target stopped answering during the scan.",
};
/** A note for the report when the target did not stay healthy until the end of the scan, with the last tests. */
export function interruptionsOf(results: readonly Result[]): string[] {
  return Object.values(INTERRUPTIONS).flatMap((reason) => {
    const spoiled = results.filter(
      ({ verdict }) => verdict.outcome === "inconclusive" && verdict.reason === reason,
    );
    const checks = [...new Set(spoiled.map(({ check }) => check.id))];
    return checks.length === 0
      ? []
      : [`${reason} Under way or still to come: ${checks.slice(0, 5).join(", ")}…`];
  });
}
