import { type Report, type ScanOrder } from "@glovebox/contract";
import { runScannerProcess } from "../../../test/scanner/scanner-process.ts";
import { measure, instancesIn, type FoundInstance } from "./measure.ts";
import { INTERFERENCES, type Interference } from "./interferences.ts";
import type { Host, Row, Side } from "./row.ts";
import { orderOf, startTarget } from "./target.ts";
import { undecidedIn, type UndecidedSubjects } from "./undecided.ts";

/** One scan of one side of the labelled API with one kind of interference in front. */
export interface Trial {
  /** What is in front, or what the separate host is. */
  readonly interference: string;
  readonly side: Side;
  readonly seconds: number;
  /** Grade and coverage, or the code of the failure. */
  readonly outcome: string;
  readonly requests: number;
  readonly found: readonly Row[];
  readonly missed: readonly Row[];
  /** Rows that the first scan missed and a second one found. */
  readonly wavering: readonly Row[];
  readonly falsePositives: readonly FoundInstance[];
  readonly misplaced: readonly FoundInstance[];
  readonly undecided: readonly UndecidedSubjects[];
  /** True where the grade is better than what was learned. */
  readonly flattered: boolean;
}

/** A scan waits for a target that is away for a share of it. */
const DEADLINE_SECONDS = { normal: 120, opaque: 25 };
/** The labelled API is larger than APIs that the default number of requests is for. */
const MAX_REQUESTS = 10_000;
const BEST_GRADES: ReadonlySet<string> = new Set(["A", "B"]);

/** One scan of each side at the same time; where the weak side misses what it should not, that side once more. */
export async function runTrials(
  rows: readonly Row[],
  interference: readonly [string, Interference],
): Promise<readonly Trial[]> {
  const [weak, safe] = await Promise.all([
    runTrial(rows, "weak", interference),
    runTrial(rows, "safe", interference),
  ]);
  if (weak.missed.length === 0) return [weak, safe];
  return [after(weak, await runTrial(rows, "weak", interference)), safe];
}

/** Each side of a row whose weakness is one of the whole host. */
export const runOwnHost = (row: Row): Promise<readonly Trial[]> =>
  runTrials([row], [`own host: ${row.checks[0]}`, INTERFERENCES["none"]!]);

function after(first: Trial, second: Trial): Trial {
  const wavering = first.missed.filter((row) => second.found.includes(row));
  const missed = first.missed.filter((row) => !wavering.includes(row));
  return { ...first, found: [...first.found, ...wavering], missed, wavering };
}

async function runTrial(
  rows: readonly Row[],
  side: Side,
  [name, interference]: readonly [string, Interference],
): Promise<Trial> {
  const host = rows.find((row) => row.host)?.host?.[side];
  await using target = await startTarget(rows, side, { interference, host });
  const order = orderOf(target, {
    maxRequests: MAX_REQUESTS,
    deadlineSeconds: DEADLINE_SECONDS[interference.opaque ? "opaque" : "normal"],
  });
  const visible = rows.filter((row) => !interference.hides?.(row));
  const { trial } = await measuredScan(order, {
    name,
    side,
    rows,
    visible,
    mustBeLow: isLow({ side, host, interference }),
  });
  return trial;
}

/** What a scan has to be measured by. */
export interface Labels {
  /** What is in front, or what else the trial is of. */
  readonly name: string;
  readonly side: Side;
  readonly rows: readonly Row[];
  /** The rows that the scan can prove. */
  readonly visible: readonly Row[];
  /** True where the grade must not be good. */
  readonly mustBeLow: boolean;
}

/** Scans as ordered. `report` is undefined where the scan failed. */
export async function measuredScan(
  order: ScanOrder,
  { name, side, rows, visible, mustBeLow }: Labels,
): Promise<{ trial: Trial; report: Report | undefined }> {
  const started = performance.now();
  const { outcome } = await runScannerProcess(order);
  const report = outcome.status === "completed" ? outcome.report : undefined;
  const trial: Trial = {
    interference: name,
    side,
    seconds: (performance.now() - started) / 1000,
    outcome: outcome.status === "completed" ? gradeOf(outcome.report) : outcome.failure.code,
    requests: report?.statistics.requests ?? 0,
    ...labelled(side, { rows, visible, report }),
    wavering: [],
    flattered: report !== undefined && BEST_GRADES.has(report.grade) && mustBeLow,
  };
  return { trial, report };
}

/** True where the grade must not be good: one weakness of a host alone need not make it bad. */
const isLow = (of: { side: Side; host: Host | undefined; interference: Interference }): boolean =>
  of.interference.opaque === true || (of.side === "weak" && of.host === undefined);

const gradeOf = ({ grade, coverage }: Report): string => `${grade}, ${coverage.overall}`;

function labelled(
  side: Side,
  { rows, visible, report }: { rows: readonly Row[]; visible: readonly Row[]; report: Report | undefined },
): Pick<Trial, "found" | "missed" | "falsePositives" | "misplaced" | "undecided"> {
  const { found, falsePositives, misplaced } = measure(rows, side, instancesIn(report?.findings ?? []));
  return {
    found: found.filter((row) => visible.includes(row)),
    missed: side === "weak" ? visible.filter((row) => !found.includes(row)) : [],
    falsePositives,
    misplaced,
    undecided: undecidedIn(report?.checks ?? []),
  };
}
