import { gunzipSync, gzipSync } from "node:zlib";
import type { CompletedScan, Finding, Report } from "@glovebox/contract";
import { diffOf, type Difference, type Marks } from "@glovebox/domain";
import { exportScan, type Format } from "@glovebox/report";
import { explanationOf, shortOf } from "../mcp/scan-text.ts";
import { regressionOf, type Regression, type ScanPair } from "./regression.ts";

/*
 * Everything that parses whole reports, run by report-worker.ts: a large one takes a tenth of a second. Inputs and results are copied
 * between threads, and are small or packed.
 */

export interface Compared {
  /** How many there are of each kind. */
  readonly counts: Readonly<Partial<Record<Difference["is"], number>>>;
  /** What is new and changed first. */
  readonly differences: Difference[];
}

export const REPORT_TASKS = {
  /** A completed scan in a format, in gzip. */
  export({ scan, format, marks, now }: { scan: Uint8Array; format: Format; marks: Marks; now: Date }) {
    return gzipSync(exportScan(scanIn(scan), format, { marks, now }), { level: 1 });
  },

  /** One finding of a report by its id; null where the report has none, or no longer exists. */
  finding({ report, id }: { report: Uint8Array | null; id: string }): Finding | null {
    return (report && reportIn(report).findings.find((finding) => finding.id === id)) ?? null;
  },

  compare({ older, newer, max }: { older: Uint8Array; newer: Uint8Array; max: number }): Compared {
    const differences = diffOf(reportIn(older), reportIn(newer));
    const counts = Object.fromEntries(
      [...Map.groupBy(differences, ({ is }) => is)].map(([is, all]) => [is, all.length]),
    );
    const shown = differences.toSorted((a, b) => rank(a) - rank(b)).slice(0, max);
    return { counts, differences: shown.map(withoutEvidence) };
  },

  regression: (scans: ScanPair): Regression | undefined => regressionOf(scans),

  /** A completed scan in short. */
  short: ({ scan }: { scan: Uint8Array }): object => shortOf(scanIn(scan)),

  /** What explains a finding, as Markdown; undefined where the scan has none of this id. */
  explanation: ({ scan, id }: { scan: Uint8Array; id: string }): string | undefined =>
    explanationOf(scanIn(scan), id),
};

export type ReportTasks = typeof REPORT_TASKS;

const ORDER: readonly Difference["is"][] = ["new", "changed", "fixed", "not retested", "unchanged"];
const rank = ({ is }: Difference): number => ORDER.indexOf(is);

/** Evidence is most of a report. */
const withoutEvidence = ({ instance, ...difference }: Difference): Difference => ({
  ...difference,
  instance: { ...instance, evidence: { ...instance.evidence, exchanges: [] } },
});

const parsed = (packed: Uint8Array): unknown => JSON.parse(gunzipSync(packed).toString());
const scanIn = (packed: Uint8Array): CompletedScan => parsed(packed) as CompletedScan;
const reportIn = (packed: Uint8Array): Report => parsed(packed) as Report;
