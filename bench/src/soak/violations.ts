import { FORMAT_NAMES } from "@glovebox/report";
import type { Ledger } from "@glovebox/store/testing";
import {
  mischarged,
  secondsToEnd,
  unendedRows,
  withoutReport,
  writtenTwice,
} from "../../../test/support/ledger-guarantees.ts";
import { CLIENTS, COMPONENTS, type SoakFacts } from "./facts.ts";
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
    "nothing was left out": leftOut(facts),
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

/** The queue is fair among accounts, not in order: this many later scans may end first, as two of each account. */
const MAX_OVERTAKEN = 40;

/** Counted in scans and not in time: a busy machine blocks nothing. */
function blocked({ ledger }: SoakFacts): string[] {
  const seconds = secondsToEnd(ledger.history);
  const begun = ledger.history.filter(({ what }) => what === "submitted");
  const spans = begun.map(({ scan, at }) => ({
    ...{ scan, from: at.getTime() },
    to: at.getTime() + 1000 * (seconds.get(scan) ?? Number.POSITIVE_INFINITY),
  }));
  return spans.flatMap(({ scan, from, to }) => {
    const later = spans.filter((other) => other.from > from && other.to < to).length;
    return later > MAX_OVERTAKEN ? [`${later} scans that were submitted later ended before ${scan}`] : [];
  });
}

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

/** What the run did not do: without it, the other guarantees mean less than they say. */
function leftOut({
  exchanges,
  exports,
  outages,
  schedules,
  streams,
  delivered,
  ledger,
}: SoakFacts): string[] {
  const successful = new Set(
    exchanges.flatMap(({ client, response }) =>
      typeof response === "object" && response.status < 400 ? client : [],
    ),
  );
  const done: Record<string, boolean> = {
    ...Object.fromEntries(
      CLIENTS.map((client) => [`no client "${client}" succeeded`, successful.has(client)]),
    ),
    ...Object.fromEntries(FORMAT_NAMES.map((format) => [`no export as ${format}`, exports.has(format)])),
    ...Object.fromEntries(
      COMPONENTS.map((name) => [`no outage of ${name}`, outages.some(({ component }) => component === name)]),
    ),
    "no event stream reached the end of its scan": streams.some(({ end }) => end !== undefined),
    "no schedule ran": schedules.some(({ runs }) => runs.length > 0),
    "no webhook received anything": Object.values(delivered).some(({ size }) => size > 0),
    "no scan completed": ledger.history.some(({ what }) => what === "completed"),
  };
  return Object.entries(done).flatMap(([sentence, isDone]) => (isDone ? [] : [sentence]));
}
