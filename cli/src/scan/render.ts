import {
  CATEGORIES,
  CATEGORY_KEYS,
  ProgressTally,
  SEVERITIES,
  type Category,
  type CompletedScan,
  type Finding,
  type ProgressFrame,
  type Severity,
} from "@glovebox/contract";
import { plainText } from "../command-line.ts";

export type Colour = "bold" | "dim" | "red" | "yellow" | "green" | "cyan" | "magenta";
/** Colours a text, or returns it as it is where colours are off. */
export type Paint = (colour: Colour, text: string) => string;

const SEVERITY_COLOURS: Record<Severity, Colour> = {
  critical: "magenta",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "dim",
};
const TITLE_WIDTH = Math.max(...CATEGORY_KEYS.map((category) => CATEGORIES[category].title.length));
const SEVERITY_WIDTH = Math.max(...SEVERITIES.map((severity) => severity.length));
const INDENT = " ".repeat(SEVERITY_WIDTH + 2);
/** Longer commands are shown in the JSON report only. */
const LONGEST_CURL = 400;

/** The table format: score, summary, categories, findings by severity, and notes. */
export function renderTable(scan: CompletedScan, paint: Paint): string {
  const sections = [
    heading(scan, paint),
    wrapped(plainText(scan.summary ?? "")),
    CATEGORY_KEYS.map((category) => categoryLine(category, scan, paint)).join("\n"),
    findings(scan.findings, paint),
    scan.notes.length > 0 ? notes(scan.notes, paint) : "",
    effort(scan, paint),
  ];
  return sections.filter((section) => section !== "").join("\n\n") + "\n";
}

function heading({ url, score, grade, scoring }: CompletedScan, paint: Paint): string {
  const colour = score >= 80 ? "green" : score >= 60 ? "yellow" : "red";
  const limits = (scoring.limits ?? []).map(({ deducted, reason, points }) =>
    paint("dim", `\n  −${deducted.toFixed(1)}  ${plainText(reason)}: ${points} at most`),
  );
  return `${paint("bold", plainText(url))}\nScore ${paint(colour, `${score} of 100`)}, grade ${paint(colour, grade)}${limits.join("")}`;
}

/** Columns of a paragraph. */
const WIDTH = 100;

/** Broken between words. */
const wrapped = (paragraph: string): string =>
  paragraph.replaceAll(new RegExp(`(.{1,${WIDTH}})(?:\\s+|$)`, "g"), "$1\n").trimEnd();

function categoryLine(category: Category, { categories }: CompletedScan, paint: Paint): string {
  const { score, findings: found, assessed, reason } = categories[category];
  const title = CATEGORIES[category].title.padEnd(TITLE_WIDTH);
  if (assessed === false) {
    return paint("dim", `${title}    –  not assessed: ${plainText(reason ?? "no reason given")}`);
  }
  const colour = score >= 80 ? "green" : score >= 60 ? "yellow" : "red";
  return `${title}  ${paint(colour, String(score).padStart(3))}  ${counted(found) || paint("dim", "no findings")}`;
}

/** Such as `1 critical, 2 low`. */
function counted(found: readonly { severity: Severity }[]): string {
  return SEVERITIES.map((severity) => [
    found.filter((finding) => finding.severity === severity).length,
    severity,
  ])
    .filter(([count]) => count !== 0)
    .map(([count, severity]) => `${count} ${severity}`)
    .join(", ");
}

function findings(all: readonly Finding[], paint: Paint): string {
  if (all.length === 0) return "No findings.";
  return [
    paint("bold", `Findings (${all.length})`),
    ...all.map((finding) => findingLines(finding, paint)),
  ].join("\n");
}

function findingLines(finding: Finding, paint: Paint): string {
  const { severity, title, category, confidence, check, location, evidence, remediation } = finding;
  const where = `${location.method} ${location.path}${location.parameter ? ` (${location.parameter})` : ""}`;
  const curl = plainText(evidence.curl);
  return [
    `${paint(SEVERITY_COLOURS[severity], severity.padEnd(SEVERITY_WIDTH))}  ${plainText(title)}`,
    `${INDENT}${plainText(where)}`,
    `${INDENT}${paint("dim", `${CATEGORIES[category].title} · ${confidence} · ${check}`)}`,
    `${INDENT}Why:    ${plainText(evidence.rule)}`,
    `${INDENT}Fix:    ${plainText(remediation)}`,
    ...(curl !== "" && curl.length <= LONGEST_CURL ? [`${INDENT}Repeat: ${curl}`] : []),
  ].join("\n");
}

const notes = (all: readonly string[], paint: Paint): string =>
  [paint("bold", "Notes"), ...all.map((note) => `- ${plainText(note)}`)].join("\n");

function effort({ statistics, findings: all }: CompletedScan, paint: Paint): string {
  const { operations, requests, durationMs } = statistics;
  const seconds = (durationMs / 1000).toFixed(1);
  const evidence = all.length > 0 ? "\nRequests and answers behind each finding: --format json." : "";
  return paint("dim", `${operations} operations, ${requests} requests in ${seconds} s.${evidence}`);
}

const ERASE_LINE = "\r\u001b[2K";

export interface ProgressLine {
  update(frame: ProgressFrame): void;
  clear(): void;
}

/** A progress line that is overwritten; no output without a terminal. */
export function progressLine(stream: Pick<NodeJS.WriteStream, "isTTY" | "write">): ProgressLine {
  if (!stream.isTTY) return { update: () => {}, clear: () => {} };
  const tally = new ProgressTally();
  return {
    update: (frame) => stream.write(ERASE_LINE + progressText(frame, tally)),
    clear: () => stream.write(ERASE_LINE),
  };
}

function progressText(frame: ProgressFrame, tally: ProgressTally): string {
  const { done, planned } = tally.add(frame);
  return `${done} of ${planned} checks · ${CATEGORIES[frame.category].title}`;
}
