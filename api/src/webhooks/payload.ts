import type { WebhookPayload } from "@glovebox/contract";
import { marksInForce } from "@glovebox/domain";
import type { ClaimedDelivery, Store } from "@glovebox/store";
import type { ReportRunner } from "../reports/report-workers.ts";
import { summaryOf } from "../reports/regression.ts";

/** The body of a delivery; undefined when there is nothing to tell: the scan did not regress, or was deleted. */
export async function payloadOf(
  { event, scanId, previousScanId, accountId, createdAt }: ClaimedDelivery,
  {
    scans,
    findings,
    reports,
  }: {
    readonly scans: Pick<Store["scans"], "get">;
    readonly findings: Pick<Store["findings"], "marksOf">;
    readonly reports: ReportRunner;
  },
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
  const marks = marksInForce(await findings.marksOf(accountId, scan.id), now);
  const data = await reports.run(accountId, "regression", async () => ({ previous, scan, marks }));
  return data && { type: event, timestamp, data };
}
