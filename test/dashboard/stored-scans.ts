import { newScanId } from "@glovebox/contract";
import { COMMAND_LINE, type Store } from "@glovebox/store";
import { reporting, type SampleFinding } from "@glovebox/store/testing";

export const FINDING: SampleFinding = {
  id: "a".repeat(16),
  places: ["GET /orders"],
  severity: "high",
  title: "SQL injection",
};

/** Stores a completed scan of an account, with these findings; its id. */
export async function completedScan(
  store: Store,
  { account: name, url, findings = [FINDING] }: { account: string; url: string; findings?: SampleFinding[] },
): Promise<string> {
  const account = (await store.accounts.find(name))!;
  const id = newScanId(new Date());
  await store.scans.submit({ actor: COMMAND_LINE, id, account, url });
  await store.work.record(id, reporting(findings));
  const { status } = (await store.scans.get(account.id, id))!;
  // The worker of the service may have been faster, and have found that there is no such host.
  return status === "completed" ? id : completedScan(store, { account: name, url, findings });
}
