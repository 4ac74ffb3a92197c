import { scanIdOf, type ScanResource } from "@glovebox/k8s";
import type { Ledger } from "@glovebox/store/testing";
import {
  longestPause,
  mischarged,
  unendedRows,
  withoutReport,
  writtenTwice,
} from "../../support/ledger-guarantees.ts";

/** The state after the last fault, when every scan has ended. */
export interface FinalState {
  readonly submitted: number;
  /** Scan ids in the responses to POSTs. */
  readonly acceptedIds: readonly string[];
  /** Names of the Scans that were applied. */
  readonly applied: readonly string[];
  /** Error responses other than 503. */
  readonly unexpectedResponses: readonly string[];
  readonly ledger: Ledger;
  readonly scans: readonly ScanResource[];
  /** Number of pods that the test deleted, by scan id. */
  readonly deletions: ReadonlyMap<string, number>;
  /** Whether canaries were killed: each loss costs a scan an attempt. */
  readonly canariesKilled: boolean;
  /** Names of remaining Jobs, pods and policies of scans. */
  readonly leftBehind: readonly string[];
  /** Controllers that are leaders according to their own metrics, and the holder of the Lease. */
  readonly leaders: readonly string[];
  readonly holder: string | undefined;
  /** Processes that exited without being killed. */
  readonly unexpectedExits: readonly string[];
}

export interface CampaignResult {
  readonly scans: number;
  readonly completed: number;
  readonly failed: Readonly<Record<string, number>>;
  /** Attempts beyond the first of each scan. */
  readonly retried: number;
  readonly lost: number;
  readonly twice: number;
  readonly leftBehind: number;
  /** Longest time between two inserts or ends of scans. */
  readonly longestPauseSeconds: number;
  /** A sentence for each violated guarantee. */
  readonly violations: readonly string[];
}

/** Maximum number of attempts of a scan. */
const ATTEMPTS = 3;

/** Checks the guarantees of docs/faults.md, "Guarantees". */
export function checkGuarantees(state: FinalState): CampaignResult {
  const { ledger, scans, leftBehind } = state;
  const lost = [...missing(state), ...unended(state)];
  const twice = duplicated(state);
  return {
    scans: state.submitted,
    completed: ledger.scans.filter(({ status }) => status === "completed").length,
    failed: countBy(ledger.scans.flatMap(({ failure }) => failure ?? [])),
    retried: scans.reduce((sum, { status }) => sum + Math.max(0, (status?.attempt ?? 1) - 1), 0),
    lost: lost.length,
    twice: twice.length,
    leftBehind: leftBehind.length,
    longestPauseSeconds: longestPause(ledger.history),
    violations: [
      ...lost,
      ...twice,
      ...leftBehind.map((name) => `${name} was left behind`),
      ...contradictions(state),
      ...unexplained(state),
      ...mischarged(ledger),
      ...wrongLeader(state),
      ...state.unexpectedExits.map((name) => `${name} exited unexpectedly`),
      ...state.unexpectedResponses.map((response) => `a POST returned ${response}`),
    ],
  };
}

function missing({ submitted, acceptedIds, applied, ledger, scans }: FinalState): string[] {
  const rows = new Set(ledger.scans.map(({ id }) => id));
  const resources = new Set(scans.map(scanIdOf));
  const names = new Set(scans.map(({ metadata }) => metadata.name));
  return [
    ...acceptedIds.filter((id) => !rows.has(id)).map((id) => `${id} was accepted and has no row`),
    ...applied.filter((name) => !names.has(name)).map((name) => `${name} was applied and does not exist`),
    ...[...rows].filter((id) => !resources.has(id)).map((id) => `${id} has no Scan resource`),
    ...[...resources].filter((id) => !rows.has(id)).map((id) => `${id} has no row`),
    ...(rows.size < submitted ? [`${submitted} scans were submitted, and ${rows.size} have rows`] : []),
  ];
}

/** Scans whose row or resource has not ended, each once. */
function unended({ ledger, scans }: FinalState): string[] {
  const rows = unendedRows(ledger);
  const resources = scans.flatMap((scan) => (scan.status?.finishedAt === undefined ? scanIdOf(scan) : []));
  return [...new Set([...rows, ...resources])].map((id) => `${id} has not ended`);
}

/** Each request has one row, each row ends once, and only completed scans have a report, exactly one. */
function duplicated({ submitted, ledger }: FinalState): string[] {
  const more = ledger.scans.length - submitted;
  return [...(more > 0 ? [`${more} more scans have rows than were submitted`] : []), ...writtenTwice(ledger)];
}

const PHASES: Readonly<Record<string, string>> = { completed: "Completed", failed: "Failed" };

/** The resource and the row have the same result, and completed scans have a report. */
function contradictions({ ledger, scans }: FinalState): string[] {
  const phases = new Map(scans.map((scan) => [scanIdOf(scan), scan.status?.phase]));
  const contradicting = ledger.scans.flatMap(({ id, status }) =>
    phases.has(id) && phases.get(id) !== PHASES[status]
      ? [`${id} is ${status} and its Scan is ${phases.get(id)}`]
      : [],
  );
  return [...contradicting, ...withoutReport(ledger)];
}

/** A scan fails only if all its pods were deleted, and is repeated only if its pod was deleted or its canary killed. */
function unexplained({ ledger, scans, deletions, canariesKilled }: FinalState): string[] {
  const deleted = (id: string): number => deletions.get(id) ?? 0;
  const failed = ledger.scans.filter(
    ({ id, failure }) => failure !== null && !(failure === "result_lost" && deleted(id) >= ATTEMPTS),
  );
  const losses = ({ status }: ScanResource): number => (canariesKilled ? (status?.canaryLosses ?? 0) : 0);
  const retried = scans.filter(
    (scan) => (scan.status?.attempt ?? 1) - 1 > deleted(scanIdOf(scan)) + losses(scan),
  );
  return [
    ...failed.map(({ id, failure }) => `${id} failed: ${failure}, after ${deleted(id)} deleted pods`),
    ...retried.map((scan) => `${scanIdOf(scan)} reached attempt ${scan.status!.attempt} without a reason`),
  ];
}

function wrongLeader({ leaders, holder }: FinalState): string[] {
  if (leaders.length === 1 && leaders[0] === holder) return [];
  return [
    `the leaders are ${leaders.join(" and ") || "none"}, and the holder of the Lease is ${holder ?? "none"}`,
  ];
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
