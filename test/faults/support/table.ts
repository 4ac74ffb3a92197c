import type { CampaignResult } from "./guarantees.ts";

export interface TableRow extends Omit<CampaignResult, "violations"> {
  readonly fault: string;
  readonly times: number;
}

const COLUMNS: Readonly<Record<string, (row: TableRow) => string | number>> = {
  fault: ({ fault }) => fault,
  times: ({ times }) => times,
  scans: ({ scans }) => scans,
  completed: ({ completed }) => completed,
  failed: ({ failed }) =>
    Object.entries(failed)
      .map(([reason, times]) => `${times} ${reason}`)
      .join(", ") || "0",
  "retried attempts": ({ retried }) => retried,
  lost: ({ lost }) => lost,
  twice: ({ twice }) => twice,
  "left behind": ({ leftBehind }) => leftBehind,
  "longest without progress": ({ longestPauseSeconds }) => `${Math.round(longestPauseSeconds)} s`,
};

/** A Markdown table. */
export function tableOf(rows: readonly TableRow[]): string {
  const cells = [
    Object.keys(COLUMNS),
    ...rows.map((row) => Object.values(COLUMNS).map((of) => String(of(row)))),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const lines = cells.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)));
  const rule = widths.map((width) => "-".repeat(width));
  return [lines[0]!, rule, ...lines.slice(1)].map((line) => `| ${line.join(" | ")} |`).join("\n");
}
