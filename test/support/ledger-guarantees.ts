import { isRefunded, type ScanFailureCode } from "@glovebox/contract";
import type { Ledger } from "@glovebox/store/testing";

/** Scans whose row has not ended. */
export const unendedRows = ({ scans }: Pick<Ledger, "scans">): string[] =>
  scans.flatMap(({ id, status }) => (status === "processing" ? id : []));

/** A sentence for each row that was inserted or ended twice, or has a report that it must not have. */
export function writtenTwice({ scans, history }: Pick<Ledger, "scans" | "history">): string[] {
  const times = new Map<string, number>();
  for (const { scan, what } of history) times.set(`${scan} ${what}`, (times.get(`${scan} ${what}`) ?? 0) + 1);
  const count = (id: string, ...what: string[]): number =>
    what.reduce((sum, each) => sum + (times.get(`${id} ${each}`) ?? 0), 0);
  return scans.flatMap(({ id, status }) => [
    ...(count(id, "submitted") > 1 ? [`${id} was inserted twice`] : []),
    ...(count(id, "completed", "failed") > 1 ? [`${id} was ended twice`] : []),
    ...(count(id, "report") > Number(status === "completed") ? [`${id} has too many reports`] : []),
  ]);
}

/** A sentence for each completed scan without a report. */
export function withoutReport({ scans, history }: Pick<Ledger, "scans" | "history">): string[] {
  const reported = new Set(history.flatMap(({ scan, what }) => (what === "report" ? scan : [])));
  return scans.flatMap(({ id, status }) =>
    status === "completed" && !reported.has(id) ? [`${id} completed without a report`] : [],
  );
}

/** A sentence for each account that was not charged once for each scan, except refunded ones. */
export function mischarged({ scans, charged }: Pick<Ledger, "scans" | "charged">): string[] {
  const accounts = new Set(scans.map(({ account }) => account));
  return [...accounts].flatMap((account) => {
    const due = scans.filter((scan) => scan.account === account && !wasRefunded(scan.failure)).length;
    const paid = charged.find((one) => one.account === account)?.started ?? 0;
    return due === paid ? [] : [`${account} was charged ${paid} scans instead of ${due}`];
  });
}

const wasRefunded = (failure: string | null): boolean =>
  failure !== null && isRefunded(failure as ScanFailureCode);

/** The longest time between two inserts or ends of scans, in seconds. */
export function longestPause(history: Ledger["history"]): number {
  const times = history.map(({ at }) => at.getTime());
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  return Math.max(0, ...pauses) / 1000;
}

/** Seconds from the insert of each ended scan to its end, by id. */
export function secondsToEnd(history: Ledger["history"]): Map<string, number> {
  const inserted = new Map<string, number>();
  const seconds = new Map<string, number>();
  for (const { scan, what, at } of history)
    if (what === "submitted") inserted.set(scan, at.getTime());
    else if (what !== "report") seconds.set(scan, (at.getTime() - inserted.get(scan)!) / 1000);
  return seconds;
}
