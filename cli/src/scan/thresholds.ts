import { SEVERITIES, type Report, type Severity } from "@glovebox/contract";

/** What makes a completed scan end the command with 1; undefined: nothing does. */
export interface Thresholds {
  /** A finding of this severity or a worse one. */
  readonly failOn: Severity | undefined;
  /** A score below this. */
  readonly minScore: number | undefined;
}

/** The thresholds that a report reaches, each as a sentence; none: the scan is clean. */
export function reachedThresholds(
  { score, findings }: Pick<Report, "score" | "findings">,
  { failOn, minScore }: Thresholds,
): string[] {
  const reached = [];
  if (failOn !== undefined) {
    const worst = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
    const count = findings.filter(({ severity }) => worst.includes(severity)).length;
    if (count > 0)
      reached.push(`${count} ${count === 1 ? "finding is" : "findings are"} ${failOn} or worse.`);
  }
  if (minScore !== undefined && score < minScore) reached.push(`The score ${score} is below ${minScore}.`);
  return reached;
}
