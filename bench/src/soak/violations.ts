import type { Ledger } from "@glovebox/store/testing";
import {
  mischarged,
  secondsToEnd,
  unendedRows,
  withoutReport,
  writtenTwice,
} from "../../../test/support/ledger-guarantees.ts";
import type { SoakFacts } from "./facts.ts";
import { trendOfLastThird } from "./memory.ts";
import { brokenStreams, unexplainedResponses } from "./responses.ts";
import { wrongRuns } from "./schedules.ts";

/** The guarantees, each with a sentence for each violation. */
export type Violations = Readonly<Record<string, readonly string[]>>;

/** Checks what docs/faults.md, "Soak", promises. */
export function violationsOf(facts: SoakFacts): Violations {
  const { ledger, deleted, exchanges, outages } = facts;
  const all = { ...ledger, scans: [...ledger.scans, ...deleted] };
  return {
    "every accepted scan exists": lost(facts),
    "every scan has ended": unendedRows(ledger).map((id) => `${id} has not ended`),
    "each scan was inserted, ended and reported once": [...writtenTwice(all), ...withoutReport(ledger)],
    "no scan without its submission": unasked(facts),
    "one scan for each Idempotency-Key": repeated(facts),
    "each account is charged for its scans": mischarged(all),
    "each account lists all its scans": miscounted(facts),
    "no scan failed": failed(facts),
    "no scan is blocked": blocked(facts),
    "each schedule ran once for each due time": facts.schedules.flatMap((each) => wrongRuns(each)),
    "each webhook received each end": undelivered(facts),
    "every response in time, and of a documented kind": unexplainedResponses(exchanges, outages),
    "no event stream is stuck": brokenStreams(facts.streams, outages),
    "every export is valid": facts.invalidExports,
    "memory is flat in the last third": growing(facts),
    "no process exits by itself": facts.unexpectedExits,
    "no unexpected error in the logs": facts.loggedErrors,
  };
}

const idsOf = ({ ledger, deleted }: SoakFacts): Set<string> =>
  new Set([...ledger.scans, ...deleted].map(({ id }) => id));

function lost(facts: SoakFacts): string[] {
  const known = idsOf(facts);
  const accepted = facts.submissions.flatMap(({ ids }) => ids);
  return accepted.filter((id) => !known.has(id)).map((id) => `${id} was accepted and has no row`);
}

/** More unknown scans of an account than it sent requests whose end is not known. */
function unasked(facts: SoakFacts): string[] {
  const asked = new Set([
    ...facts.submissions.flatMap(({ ids }) => ids),
    ...facts.schedules.flatMap(({ runs }) => runs.flatMap(({ scanId }) => scanId ?? [])),
  ]);
  const unknown = facts.ledger.scans.filter(({ id }) => !asked.has(id));
  return [...new Set(unknown.map(({ account }) => account))].flatMap((account) => {
    const found = unknown.filter((scan) => scan.account === account).length;
    const possible = facts.submissions.filter((each) => each.account === account && each.isUncertain).length;
    return found > possible ? [`${account} has ${found} scans that no client asked for`] : [];
  });
}

function repeated({ submissions }: SoakFacts): string[] {
  const keyed = submissions.filter(({ key }) => key !== undefined);
  const several = keyed.filter(({ ids }) => new Set(ids).size > 1);
  const owners = new Map<string, string>();
  const shared = submissions.flatMap(({ account, key, ids }) =>
    [...new Set(ids)].flatMap((id) => {
      const owner = `${account} ${key ?? "without a key"}`;
      const other = owners.get(id);
      owners.set(id, owner);
      return other === undefined ? [] : [`${id} was returned to ${other} and to ${owner}`];
    }),
  );
  return [...several.map(({ key, ids }) => `${key} started ${[...new Set(ids)].join(" and ")}`), ...shared];
}

function miscounted({ ledger, totals }: SoakFacts): string[] {
  return Object.entries(totals).flatMap(([account, total]) => {
    const rows = ledger.scans.filter((scan) => scan.account === account).length;
    return rows === total ? [] : [`${account} has ${rows} scans, and its list says ${total}`];
  });
}

/** The target never fails: a scan fails only if a client cancelled it. */
const failed = ({ ledger, cancelled }: SoakFacts): string[] =>
  ledger.scans.flatMap(({ id, failure }) =>
    failure === null || (failure === "cancelled" && cancelled.has(id)) ? [] : [`${id} failed: ${failure}`],
  );

/** Longer than the deadline of a scan, an outage of each component and the queue take together. */
const MAX_SECONDS = 600;

const blocked = ({ ledger }: SoakFacts): string[] =>
  [...secondsToEnd(ledger.history)].flatMap(([id, seconds]) =>
    seconds > MAX_SECONDS ? [`${id} took ${seconds.toFixed(0)} s`] : [],
  );

/** Deleted scans are left out: their events are deleted with them. */
function undelivered({ ledger, delivered }: SoakFacts): string[] {
  const due = ledger.scans.filter(({ account, status }) => account in delivered && status !== "processing");
  return due.flatMap(({ id, account }: Ledger["scans"][number]) =>
    delivered[account]!.has(id) ? [] : [`the webhook of ${account} did not receive the end of ${id}`],
  );
}

function growing({ memory, period }: SoakFacts): string[] {
  return memory.flatMap(({ process, samples }) => {
    const trend = trendOfLastThird(samples, period);
    if (trend === undefined || trend.isFlat) return [];
    return [
      `${process} grew by ${trend.growthMib.toFixed(1)} MiB, with noise of ${trend.noiseMib.toFixed(1)} MiB`,
    ];
  });
}
