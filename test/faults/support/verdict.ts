import { isRefunded, type ScanFailureCode } from "@glovebox/contract";
import { scanIdOf, type ScanResource } from "@glovebox/k8s";
import type { Ledger } from "@glovebox/store/testing";

/** The state after a fault was injected repeatedly and every scan has ended. */
export interface Evidence {
  readonly asked: number;
  /** Ids that the API has answered POSTs with. */
  readonly answered: readonly string[];
  /** Names of the Scans that were applied. */
  readonly applied: readonly string[];
  /** Answers that an outage does not explain. */
  readonly oddAnswers: readonly string[];
  readonly ledger: Ledger;
  readonly scans: readonly ScanResource[];
  /** How often a pod of the scan was destroyed on purpose, by the scan's id. */
  readonly destroyed: ReadonlyMap<string, number>;
  /** Whether canaries died, each of which may have cost scans an attempt. */
  readonly canariesDied: boolean;
  /** Names of Jobs, pods and policies of scans. */
  readonly leftBehind: readonly string[];
  /** Processes that hold the lead, by their own word, and who the Lease says does. */
  readonly leaders: readonly string[];
  readonly holder: string | undefined;
  /** Processes that ended although nobody had killed them. */
  readonly endedByItself: readonly string[];
}

export interface Verdict {
  readonly scans: number;
  readonly completed: number;
  readonly failed: Readonly<Record<string, number>>;
  /** Attempts beyond the first of each scan. */
  readonly retried: number;
  readonly lost: number;
  readonly twice: number;
  readonly leftBehind: number;
  /** Longest time between a scan's row or end and the next, in seconds. */
  readonly stillSeconds: number;
  /** Sentences; none when every promise was kept. */
  readonly broken: readonly string[];
}

/** So many attempts has a scan. */
export const ATTEMPTS = 3;

export function judge(evidence: Evidence): Verdict {
  const { ledger, scans, leftBehind } = evidence;
  const lost = [...missing(evidence), ...unended(evidence)];
  const twice = doubled(evidence);
  return {
    scans: evidence.asked,
    completed: ledger.scans.filter(({ status }) => status === "completed").length,
    failed: countBy(ledger.scans.flatMap(({ failure }) => failure ?? [])),
    retried: scans.reduce((sum, { status }) => sum + Math.max(0, (status?.attempt ?? 1) - 1), 0),
    lost: lost.length,
    twice: twice.length,
    leftBehind: leftBehind.length,
    stillSeconds: longestPause(ledger.history),
    broken: [
      ...lost,
      ...twice,
      ...leftBehind.map((name) => `${name} was left behind`),
      ...contradictions(evidence),
      ...undeserved(evidence),
      ...mischarged(ledger),
      ...badLead(evidence),
      ...evidence.endedByItself.map((name) => `${name} ended by itself`),
      ...evidence.oddAnswers.map((answer) => `a POST was answered ${answer}`),
    ],
  };
}

function missing({ asked, answered, applied, ledger, scans }: Evidence): string[] {
  const rows = new Set(ledger.scans.map(({ id }) => id));
  const resources = new Set(scans.map(scanIdOf));
  const names = new Set(scans.map(({ metadata }) => metadata.name));
  return [
    ...answered.filter((id) => !rows.has(id)).map((id) => `${id} was answered and has no row`),
    ...applied.filter((name) => !names.has(name)).map((name) => `${name} was applied and is gone`),
    ...[...rows].filter((id) => !resources.has(id)).map((id) => `${id} has no Scan resource`),
    ...[...resources].filter((id) => !rows.has(id)).map((id) => `${id} has no row`),
    ...(rows.size < asked ? [`${asked} scans were asked for, and ${rows.size} are on record`] : []),
  ];
}

/** Each named once, whether it is its row that has not ended, its resource or both. */
function unended({ ledger, scans }: Evidence): string[] {
  const rows = ledger.scans.flatMap(({ id, status }) => (status === "processing" ? id : []));
  const resources = scans.flatMap((scan) => (scan.status?.finishedAt === undefined ? scanIdOf(scan) : []));
  return [...new Set([...rows, ...resources])].map((id) => `${id} has not ended`);
}

/** One row a request, one end a row, one report for each that completed and none for the others. */
function doubled({ asked, ledger }: Evidence): string[] {
  const times = (id: string, ...what: string[]): number =>
    ledger.history.filter((entry) => entry.scan === id && what.includes(entry.what)).length;
  const more = ledger.scans.length - asked;
  return [
    ...(more > 0 ? [`${more} more scans are on record than were asked for`] : []),
    ...ledger.scans.flatMap(({ id, status }) => [
      ...(times(id, "submitted") > 1 ? [`${id} was written down twice`] : []),
      ...(times(id, "completed", "failed") > 1 ? [`${id} was ended twice`] : []),
      ...(times(id, "report") > Number(status === "completed") ? [`${id} has too many reports`] : []),
    ]),
  ];
}

const PHASES: Readonly<Record<string, string>> = { completed: "Completed", failed: "Failed" };

/** The resource says what the row says, and whoever completed has a report. */
function contradictions({ ledger, scans }: Evidence): string[] {
  const phases = new Map(scans.map((scan) => [scanIdOf(scan), scan.status?.phase]));
  const reported = new Set(ledger.history.flatMap(({ scan, what }) => (what === "report" ? scan : [])));
  return ledger.scans.flatMap(({ id, status }) => [
    ...(phases.has(id) && phases.get(id) !== PHASES[status]
      ? [`${id} is ${status} and its Scan ${phases.get(id)}`]
      : []),
    ...(status === "completed" && !reported.has(id) ? [`${id} completed without a report`] : []),
  ]);
}

/** A scan fails only when each of its attempts lost its pod, and is tried again only when one did, or lost its canary. */
function undeserved({ ledger, scans, destroyed, canariesDied }: Evidence): string[] {
  const hits = (id: string): number => destroyed.get(id) ?? 0;
  const failed = ledger.scans.filter(
    ({ id, failure }) => failure !== null && !(failure === "result_lost" && hits(id) >= ATTEMPTS),
  );
  const losses = ({ status }: ScanResource): number => (canariesDied ? (status?.canaryLosses ?? 0) : 0);
  const retried = scans.filter(
    (scan) => (scan.status?.attempt ?? 1) - 1 > hits(scanIdOf(scan)) + losses(scan),
  );
  return [
    ...failed.map(({ id, failure }) => `${id} failed: ${failure}, after ${hits(id)} lost pods`),
    ...retried.map((scan) => `${scanIdOf(scan)} came to attempt ${scan.status!.attempt} for no reason`),
  ];
}

/** Charged once for each scan, except for those that failed through a fault of ours. */
function mischarged({ scans, charged }: Ledger): string[] {
  const accounts = new Set(scans.map(({ account }) => account));
  return [...accounts].flatMap((account) => {
    const due = scans.filter((scan) => scan.account === account && !wasRefunded(scan.failure)).length;
    const paid = charged.find((one) => one.account === account)?.started ?? 0;
    return due === paid ? [] : [`${account} was charged ${paid} scans instead of ${due}`];
  });
}

const wasRefunded = (failure: string | null): boolean =>
  failure !== null && isRefunded(failure as ScanFailureCode);

function badLead({ leaders, holder }: Evidence): string[] {
  if (leaders.length === 1 && leaders[0] === holder) return [];
  return [`the lead is held by ${leaders.join(" and ") || "nobody"}, and the Lease by ${holder ?? "nobody"}`];
}

/** In seconds. */
function longestPause(history: Ledger["history"]): number {
  const times = history.map(({ at }) => at.getTime());
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  return Math.max(0, ...pauses) / 1000;
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
