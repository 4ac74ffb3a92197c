import { newScanId, type Report } from "@glovebox/contract";
import { delivered } from "@glovebox/scan-run";
import { COMMAND_LINE, type Store } from "@glovebox/store";
import { sampleReport, type SampleFinding } from "@glovebox/store/testing";

export const FINDING: SampleFinding = {
  id: "a".repeat(16),
  places: ["GET /orders"],
  severity: "high",
  title: "SQL injection",
};

interface Completed {
  readonly account: string;
  readonly url: string;
  readonly findings?: readonly SampleFinding[];
  /** What else its report has. */
  readonly report?: Partial<Report>;
}

/** Stores a completed scan of an account, with these findings; its id. */
export async function completedScan(store: Store, completed: Completed): Promise<string> {
  const { account: name, url, findings = [FINDING], report: more } = completed;
  const account = (await store.accounts.find(name))!;
  const id = newScanId(new Date());
  await store.scans.submit({ actor: COMMAND_LINE, id, account, url });
  const report = { ...sampleReport(findings), ...more };
  await store.work.record(id, delivered({ status: "completed", report }));
  const { status } = (await store.scans.get(account.id, id))!;
  // The worker of the service may have been faster, and have found that there is no such host.
  return status === "completed" ? id : completedScan(store, completed);
}
