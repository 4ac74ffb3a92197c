import { instancesOf } from "@glovebox/domain";
import { type CompletedScan, type Finding, type Instance } from "@glovebox/contract";
import { markOf } from "./findings.ts";
import type { Marked } from "./formats.ts";
import { plainText } from "./text.ts";

const COLUMNS = [
  ...["finding", "instance", "severity", "confidence", "category", "check", "title", "method", "path"],
  ...["parameter", "observed", "remediation", "cwe", "owasp", "cvss", "status", "reason", "expires", "by"],
];

/** One row for each location of each finding (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function toCsv({ findings }: CompletedScan, { marks }: Marked): string {
  const rows = findings.flatMap((finding) =>
    instancesOf(finding).map((instance) => cellsOf(finding, instance, marks)),
  );
  return csvText([COLUMNS, ...rows]);
}

/** Rows as CSV (RFC 4180), in which no cell is a formula to a spreadsheet. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");

function cellsOf(finding: Finding, instance: Instance, marks: Marked["marks"]): string[] {
  const { severity, confidence, category, check, title, location, observed } = instance;
  const { cwe, owasp = "", cvss = "" } = finding.references;
  const { status = "open", reason = "", expiresAt = "", by = "" } = markOf(marks, finding, instance) ?? {};
  return [
    ...[finding.id, instance.id, severity, confidence, category, check, title],
    ...[location.method, location.path, location.parameter ?? "", observed, finding.remediation],
    ...[cwe === undefined ? "" : `CWE-${cwe}`, owasp, cvss, status, reason, expiresAt, by],
  ];
}

// Also in their full width, which spreadsheets in Japanese and Chinese read the same.
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function cell(text: string): string {
  const plain = plainText(text);
  const safe = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",;]|^\s|\s$|^'/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
