import { gunzipSync } from "node:zlib";
import { GRADES, MAX_LISTED_FINDINGS, type Report, type WebhookPayload } from "@glovebox/contract";
import { compareInstances, diffOf, instancesOf, rescore, type Marks } from "@glovebox/domain";
import type { ScanRow } from "@glovebox/store";

export type Regression = Extract<WebhookPayload, { type: "scan.regressed" }>["data"];

/** Two completed scans of one target, with their reports, and the marks in force. */
export interface ScanPair {
  readonly previous: ScanRow;
  readonly scan: ScanRow;
  readonly marks: Marks;
}

/**
 * What is worse than in the scan before: a lower grade, new findings, more severe ones. What has a mark (accepted, or a false
 * positive) counts neither as a finding nor for the grades. Undefined if nothing is worse.
 */
export function regressionOf({ previous, scan, marks }: ScanPair): Regression | undefined {
  const [before, now] = [reportOf(previous), reportOf(scan)];
  const findings = worseningsOf(before, now, marks);
  const gradeOf = ({ grade }: ScanRow, report: Report): number =>
    GRADES.indexOf(marks.size === 0 ? grade! : rescore(report, ({ id }) => !marks.has(id)).grade);
  const lowerGrade = gradeOf(scan, now) > gradeOf(previous, before);
  if (findings.length === 0 && !lowerGrade) return undefined;
  return {
    scan: summaryOf(scan),
    previous: summaryOf(previous),
    lowerGrade,
    total: findings.length,
    findings: findings.slice(0, MAX_LISTED_FINDINGS),
  };
}

type Worsening = Regression["findings"][number];

/** Worst first. */
function worseningsOf(before: Report, now: Report, marks: Marks): Worsening[] {
  const counted = now.findings.filter(({ id }) => !marks.has(id)).flatMap(instancesOf);
  const seen = new Map(counted.filter(({ id }) => !marks.has(id)).map((instance) => [instance.id, instance]));
  return diffOf(before, now)
    .filter((difference) => difference.is === "new" || difference.isWorse)
    .filter(({ instance }) => seen.has(instance.id))
    .map(({ is, instance }): Worsening => {
      const { id, check, title, severity, category, location } = seen.get(instance.id)!;
      const change = is === "new" ? "new" : "moreSevere";
      return { change, id, check, title, severity, category, location };
    })
    .toSorted(compareInstances);
}

const reportOf = ({ packedReport }: ScanRow): Report =>
  JSON.parse(gunzipSync(packedReport!).toString()) as Report;

export const summaryOf = ({ id, url, status, score, grade, findingsCount, createdAt, endedAt }: ScanRow) => ({
  ...{ id, url, status, score, grade, findingsCount },
  createdAt: createdAt.toISOString(),
  completedAt: endedAt!.toISOString(),
});
