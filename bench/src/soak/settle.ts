import { setTimeout as delay } from "node:timers/promises";
import { readLedger, type Ledger } from "@glovebox/store/testing";
import type { SoakSystem } from "./system.ts";

/** Stop waiting when nothing has changed for this time, the deadline of a scan. */
const STALLED_MS = 300_000;
const POLL_MS = 2_000;

/** Waits until every scan has ended and `isDelivered`, or nothing changes any more; returns the ledger. */
export async function settledLedger(
  { databaseUrl }: SoakSystem,
  isDelivered: (ledger: Ledger) => boolean,
): Promise<Ledger> {
  let before = "";
  for (let changedAt = Date.now(); ; await delay(POLL_MS)) {
    const ledger = await readLedger(databaseUrl);
    const hasEnded = ledger.scans.every(({ status }) => status !== "processing");
    if (hasEnded && isDelivered(ledger)) return ledger;
    const text = JSON.stringify(ledger);
    if (text !== before) changedAt = Date.now();
    if (Date.now() - changedAt > STALLED_MS) return ledger;
    before = text;
  }
}
