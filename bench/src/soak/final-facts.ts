import { setTimeout as delay } from "node:timers/promises";
import { readLedger, type Ledger } from "@glovebox/store/testing";
import type { SoakAccount } from "./accounts.ts";
import type { SoakFacts } from "./facts.ts";
import { deliveredTo, runsOf, suspendSchedules, totalsOf, type OpenSchedule } from "./features.ts";
import type { Journal } from "./journal.ts";
import { loggedErrors } from "./logs.ts";
import type { SoakSystem } from "./system.ts";

/** Stop waiting when nothing has changed for this time, the deadline of a scan. */
const STALLED_MS = 300_000;
const POLL_MS = 2_000;

export interface Ended extends Pick<SoakFacts, "period" | "outages"> {
  readonly accounts: readonly SoakAccount[];
  readonly schedules: readonly OpenSchedule[];
  readonly journal: Journal;
}

/** When the clients have finished: suspends the schedules, waits for the end of every scan, and reads what there is. */
export async function finalFacts(system: SoakSystem, ended: Ended): Promise<Omit<SoakFacts, "memory">> {
  const { period, outages, accounts, journal } = ended;
  const withWebhook = accounts.filter(({ hasFeatures }) => hasFeatures);
  const suspended = await suspendSchedules(system, ended.schedules);
  const ledger = await settledLedger(system, ({ scans }) => {
    const delivered = deliveredTo(system, withWebhook);
    return scans.every(({ account, id }) => delivered[account]?.has(id) ?? true);
  });
  const { exchanges, submissions, streams, exports, invalidExports, cancelled, deleted } = journal;
  return {
    ...{ period, outages, ledger },
    ...{ exchanges, submissions, streams, exports, invalidExports, cancelled, deleted },
    schedules: await Promise.all(
      suspended.map(async (schedule) => ({ ...schedule, runs: await runsOf(system, schedule) })),
    ),
    totals: await totalsOf(system, accounts),
    delivered: deliveredTo(system, withWebhook),
    unexpectedExits: system.services.flatMap(({ unexpectedExits }, n) =>
      unexpectedExits.map((code) => `service ${n} exited with ${code}`),
    ),
    loggedErrors: system.commands.flatMap(({ pid, stderr }) => loggedErrors(`process ${pid}`, stderr)),
  };
}

/** Waits until every scan has ended and `isDelivered`, or nothing changes any more; returns the ledger. */
async function settledLedger(
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
