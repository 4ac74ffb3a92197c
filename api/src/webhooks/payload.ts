import {
  GRADES,
  MAX_LISTED_FINDINGS,
  compareInstances,
  diffOf,
  instancesOf,
  type Report,
  type WebhookPayload,
} from "@glovebox/contract";
import type { ClaimedDelivery, ScanRow, Store } from "@glovebox/store";

/** The body of a delivery; undefined when there is nothing to tell: the scan did not regress, or was erased. */
export async function payloadOf(
  { event, scanId, previousScanId, accountId, createdAt }: ClaimedDelivery,
  scans: Pick<Store["scans"], "get">,
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
  const data = previous && regressionOf(previous, scan);
  return data && { type: event, timestamp, data };
}

type Regression = Extract<WebhookPayload, { type: "scan.regressed" }>["data"];

/** What is worse than in the scan before: a lower grade, new findings, more severe ones. Undefined if nothing is. */
export function regressionOf(previous: ScanRow, scan: ScanRow): Regression | undefined {
  const findings = worseningsOf(reportOf(previous), reportOf(scan));
  const lowerGrade = GRADES.indexOf(scan.grade!) > GRADES.indexOf(previous.grade!);
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
function worseningsOf(before: Report, now: Report): Worsening[] {
  const seen = new Map(now.findings.flatMap(instancesOf).map((instance) => [instance.id, instance]));
  return diffOf(before, now)
    .filter((difference) => difference.is === "new" || difference.isWorse)
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
