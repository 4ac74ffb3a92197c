import { GRADES, MAX_LISTED_FINDINGS, type Report, type WebhookPayload } from "@glovebox/contract";
import { compareInstances, diffOf, instancesOf, marksInForce, rescore, type Marks } from "@glovebox/domain";
import type { ClaimedDelivery, ScanRow, Store } from "@glovebox/store";

interface PayloadDeps {
  readonly scans: Pick<Store["scans"], "get">;
  readonly findings: Pick<Store["findings"], "marksOf">;
}

/** The body of a delivery; undefined when there is nothing to tell: the scan did not regress, or was erased. */
export async function payloadOf(
  { event, scanId, previousScanId, accountId, createdAt }: ClaimedDelivery,
  { scans, findings }: PayloadDeps,
  now: Date,
): Promise<WebhookPayload | undefined> {
  const timestamp = createdAt.toISOString();
  if (event === "webhook.test")
    return { type: event, timestamp, data: { message: "A test of this webhook." } };
  const scan = scanId === null ? undefined : await scans.get(accountId, scanId);
  if (!scan) return undefined;
  if (event === "scan.completed") return { type: event, timestamp, data: summaryOf(scan) };
  if (event === "scan.failed")
    return { type: event, timestamp, data: { ...summaryOf(scan), error: scan.failure! } };
  const previous = previousScanId === null ? undefined : await scans.get(accountId, previousScanId);
  if (!previous) return undefined;
  const data = regressionOf(previous, scan, marksInForce(await findings.marksOf(accountId, scan.id), now));
  return data && { type: event, timestamp, data };
}

type Regression = Extract<WebhookPayload, { type: "scan.regressed" }>["data"];

/**
 * What is worse than in the scan before: a lower grade, new findings, more severe ones. What has a mark (accepted, or a false
 * positive) counts neither as a finding nor for the grades. Undefined if nothing is worse.
 * @internal
 */
export function regressionOf(previous: ScanRow, scan: ScanRow, marks: Marks): Regression | undefined {
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

const reportOf = ({ reportJson }: ScanRow): Report => JSON.parse(reportJson!) as Report;

const summaryOf = ({ id, url, status, score, grade, findingsCount, createdAt, endedAt }: ScanRow) => ({
  ...{ id, url, status, score, grade, findingsCount },
  createdAt: createdAt.toISOString(),
  completedAt: endedAt!.toISOString(),
});
