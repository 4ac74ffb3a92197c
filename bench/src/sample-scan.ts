import { newScanId } from "@glovebox/contract";
import type { Store } from "@glovebox/store";
import { completed } from "../../store/src/fixtures.ts";
import type { LoadAccount } from "./accounts.ts";

/** A completed scan with a small report, of which the row costs more than the report. Returns its id. */
export async function completedScan(store: Store, { id }: LoadAccount): Promise<string> {
  const now = new Date();
  const account = await store.accounts.find("reader");
  const submission = { id: newScanId(now), account: account!, url: "https://api.example/v1" };
  const submitted = await store.scans.submit({ ...submission, scansPerMonth: null });
  if (submitted.outcome !== "created" || account!.id !== id)
    throw new Error("The sample scan was not created");
  await store.work.record(submission.id, completed());
  return submission.id;
}
