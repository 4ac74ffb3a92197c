import {
  CATEGORIES,
  CATEGORY_KEYS,
  SEVERITIES,
  type AccessOfCallers,
  type CompletedScan,
  type Finding,
} from "@glovebox/contract";
import { callersIn, scopeText, type Mark } from "@glovebox/domain";
import { ACCESS_TEXT, violationText } from "./access-grid.ts";
import {
  categoryTitles,
  explanationOf,
  markText,
  partsOf,
  locationsOf,
  severitiesText,
  type Part,
} from "./findings.ts";
import type { Marked } from "./formats.ts";
import { journalEntryText, journalText, remaining } from "./journal.ts";
import { codeBlock, codeSpan, markdownText as text } from "./markdown-text.ts";
import { SIDE_EFFECTS, sideEffectText } from "./side-effects.ts";
import { beginning, counted } from "./text.ts";

const MAX_LOCATIONS = 20;
/** Longer commands are left out. */
const MAX_CURL_LENGTH = 2_000;
const MAX_EXCHANGES = 4;
const MAX_BODY_LENGTH = 2_000;

/** Markdown for people: a pull request, a wiki, the summary of a pipeline. */
export function toMarkdown(scan: CompletedScan, { marks }: Marked): string {
  const parts = partsOf(scan.findings, marks);
  const open = parts.flatMap(({ finding, mark }) => (mark ? [] : [finding]));
  const dismissed = parts.filter((part): part is Dismissed => part.mark !== undefined);
  const sections = [
    heading(scan, open),
    text(scan.summary ?? ""),
    text(scopeText(scan.scope)),
    categoryTable(scan),
    ...findingSections(open),
    dismissedSection(dismissed),
    accessSection(scan),
    sideEffectSection(scan),
    journalSection(scan),
    list("Notes", scan.notes),
    `${counted(scan.statistics.operations, "operation")}, ${counted(scan.statistics.requests, "request")}. Scan ${codeSpan(scan.id)}, completed ${scan.completedAt}.`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

type Dismissed = Part & { readonly mark: Mark };

function heading({ url, score, grade, scoring }: CompletedScan, open: readonly Finding[]): string {
  const limits = (scoring.limits ?? []).map(({ reason, points }) => `- ${text(reason)}: ${points} at most`);
  return [
    `# Security scan of ${codeSpan(url)}`,
    "",
    `**Score ${score} of 100, grade ${grade}.** ${open.length === 0 ? "No open findings." : `${severitiesText(open)}.`}`,
    ...(limits.length > 0 ? ["", ...limits] : []),
  ].join("\n");
}

function categoryTable({ categories }: CompletedScan): string {
  const rows = CATEGORY_KEYS.map((key) => {
    const { score, findings, assessed, reason = "" } = categories[key];
    const result =
      assessed === false ? `not assessed: ${text(reason)}` : severitiesText(findings) || "no findings";
    return `| ${CATEGORIES[key].title} | ${assessed === false ? "–" : score} | ${result} |`;
  });
  return ["| Category | Score | Findings |", "|---|---:|---|", ...rows].join("\n");
}

function findingSections(open: readonly Finding[]): string[] {
  return SEVERITIES.flatMap((severity) => {
    const own = open.filter((finding) => finding.severity === severity);
    if (own.length === 0) return [];
    return [`## ${severity[0]!.toUpperCase()}${severity.slice(1)}`, ...own.map(findingSection)];
  });
}

function findingSection(finding: Finding): string {
  const { id, check, confidence, title, observed = "", remediation, references, evidence } = finding;
  const { cwe, owasp } = references;
  const facts = [
    categoryTitles(finding),
    confidence,
    check,
    ...(cwe === undefined ? [] : [`CWE-${cwe}`]),
    ...(owasp ? [owasp] : []),
  ];
  const locations = locationsOf(finding);
  const more = locations.length - MAX_LOCATIONS;
  return [
    `### ${text(title)}`,
    `${facts.map(text).join(" · ")} · ${codeSpan(id)}`,
    [
      ...locations.slice(0, MAX_LOCATIONS).map((location) => `- ${codeSpan(location)}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
    ].join("\n"),
    [observed, explanationOf(finding)]
      .filter((each) => each !== "")
      .map(text)
      .join(" "),
    `**Fix:** ${text(remediation)}`,
    evidence.curl !== "" && evidence.curl.length <= MAX_CURL_LENGTH ? codeBlock(evidence.curl) : "",
  ]
    .filter((each) => each !== "")
    .join("\n\n");
}

/** One finding with its proof: the control and the attack of its first instance, as they were sent, with their responses. */
export function explainFinding(finding: Finding): string {
  const { rule, exchanges, pointer } = finding.evidence;
  const shown = exchanges.filter(({ role }) => role !== "repeat").slice(0, MAX_EXCHANGES);
  return [
    findingSection(finding),
    `**Rule:** ${text(rule)}`,
    pointer === undefined ? "" : `In the document at ${codeSpan(pointer)}.`,
    ...shown.map(({ role, request, response }) =>
      [
        `**${role}:** ${codeSpan(`${request.method} ${request.url}`)}`,
        ...(request.body === undefined ? [] : [codeBlock(beginning(request.body, MAX_BODY_LENGTH), "")]),
        `Response ${response.status}:`,
        codeBlock(beginning(response.body, MAX_BODY_LENGTH), ""),
      ].join("\n\n"),
    ),
  ]
    .filter((each) => each !== "")
    .join("\n\n");
}

function dismissedSection(dismissed: readonly Dismissed[]): string {
  if (dismissed.length === 0) return "";
  const rows = dismissed.map(
    ({ finding, mark }) =>
      `| ${finding.severity} | ${text(finding.title)} | ${counted(locationsOf(finding).length, "location")} | ${text(markText(mark))} |`,
  );
  return [
    "## Accepted and false positives",
    "",
    "| Severity | Finding | At | Decision |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Rows of the grid in Markdown: violations first, the others as far as there is room. */
const MAX_ACCESS_ROWS = 100;

function accessSection({ accessByCaller = [] }: CompletedScan): string {
  if (accessByCaller.length === 0) return "";
  const callers = callersIn(accessByCaller);
  const isViolated = (row: AccessOfCallers): boolean => row.violations !== undefined;
  const rows = accessByCaller.toSorted((a, b) => Number(isViolated(b)) - Number(isViolated(a)));
  return [
    "## Access by caller",
    "",
    `| Operation | ${callers.map(text).join(" | ")} | Violations |`,
    `|---|${callers.map(() => "---|").join("")}---|`,
    ...rows.slice(0, MAX_ACCESS_ROWS).map((row) => {
      const cells = callers.map((caller) => ACCESS_TEXT[row.access[caller] ?? "notCalled"]);
      return `| ${text(`${row.method} ${row.path}`)} | ${cells.join(" | ")} | ${text(violationText(row))} |`;
    }),
    ...(rows.length > MAX_ACCESS_ROWS
      ? ["", `${rows.length - MAX_ACCESS_ROWS} more in the CSV export.`]
      : []),
  ].join("\n");
}

function sideEffectSection({ sideEffects = [] }: CompletedScan): string {
  if (sideEffects.length === 0) return "";
  return [
    "## What the scan may have left behind",
    "",
    SIDE_EFFECTS,
    "",
    ...sideEffects.map(
      (each) => `- ${codeSpan(sideEffectText(each))} ${codeSpan(beginning(each.request.body ?? "", 200))}`,
    ),
  ].join("\n");
}

function journalSection({ mode, journal }: CompletedScan): string {
  const summary = journalText({ mode, journal });
  if (summary === "") return "";
  const left = remaining(journal).map((each) =>
    ["-", codeSpan(journalEntryText(each)), ...(each.curl === undefined ? [] : [codeSpan(each.curl)])].join(
      " ",
    ),
  );
  return ["## What the scan wrote", "", text(summary), ...(left.length > 0 ? ["", ...left] : [])].join("\n");
}

const list = (title: string, items: readonly string[]): string =>
  items.length === 0 ? "" : [`## ${title}`, "", ...items.map((item) => `- ${text(item)}`)].join("\n");
