import {
  CATEGORIES,
  CATEGORY_KEYS,
  type Category,
  type CompletedScan,
  type Finding,
  type Instance,
} from "@glovebox/contract";
import { instancesOf, locationName, scopeText } from "@glovebox/domain";
import {
  SIDE_EFFECTS,
  counted,
  journalEntryText,
  journalText,
  narrowed,
  plainText,
  remaining,
  severitiesText,
  sideEffectText,
} from "@glovebox/report";
import { findingLines, locationLines } from "./finding-lines.ts";
import type { Accepted } from "./suppressions.ts";
import { wrapped, type Print } from "./text.ts";

const TITLE_WIDTH = Math.max(...CATEGORY_KEYS.map((category) => CATEGORIES[category].title.length));

/** The table format: score, summary, categories, findings with their locations, and notes. */
export function renderTable(scan: CompletedScan, print: Print, accepted: Accepted): string {
  const { shown, information, known } = sorted(scan.findings, accepted);
  const sections = [
    heading(scan, print),
    wrapped(scan.summary ?? "", print),
    wrapped(scopeText(scan.scope), print),
    categories(scan, print),
    findingsSection({ shown, information }, print),
    print.verbose ? section("For information", information, print) : informationBlock(information, print),
    knownSection(known, accepted, print),
    sideEffectSection(scan, print),
    journalSection(scan, print),
    notes([...scan.notes, ...accepted.notes], print),
    effort(scan, print),
  ];
  return sections.filter((text) => text !== "").join("\n\n") + "\n";
}

/** Advice on headers and documents that most APIs get some of, and that does not stop a release. */
const ADVICE: ReadonlySet<string> = new Set([
  "encryption/hsts",
  "rate-limiting/rate-limit-headers",
  "data-exposure/version-disclosure",
  "inventory-management/public-document",
]);

const isInformation = ({ severity, check }: Finding): boolean =>
  severity === "info" || (severity === "low" && ADVICE.has(check));

/** Findings to show, those to fold, and findings of which every location is accepted; locations that are accepted are taken out of the others. */
function sorted(findings: readonly Finding[], { reasons }: Accepted) {
  const open = findings.flatMap((finding): Finding[] => {
    const all = instancesOf(finding);
    const left = all.filter(({ id }) => !reasons.has(id));
    if (left.length === all.length) return [finding];
    const open = narrowed(finding, left);
    return open ? [open] : [];
  });
  return {
    shown: open.filter((finding) => !isInformation(finding)),
    information: open.filter(isInformation),
    known: findings.flatMap(instancesOf).filter(({ id }) => reasons.has(id)),
  };
}

const colourOf = (score: number) => (score >= 80 ? "green" : score >= 60 ? "yellow" : "red");

function heading({ url, score, grade, scoring }: CompletedScan, { paint }: Print): string {
  const limits = (scoring.limits ?? []).map(({ deducted, reason, points }) =>
    paint("dim", `\n  −${deducted.toFixed(1)}  ${plainText(reason)}: ${points} at most`),
  );
  const colour = colourOf(score);
  return `${paint("bold", plainText(url))}\nScore ${paint(colour, `${score} of 100`)}, grade ${paint(colour, grade)}${limits.join("")}`;
}

function categories(scan: CompletedScan, print: Print): string {
  const lines = CATEGORY_KEYS.map((category) => categoryLine(category, scan, print));
  const several = scan.findings.filter(({ alsoAffects }) => alsoAffects).length;
  if (several > 0) lines.push(print.paint("dim", several === 1 ? SEVERAL.one : `${several} ${SEVERAL.more}`));
  return lines.join("\n");
}

const SEVERAL = {
  one: "One finding affects several categories, and is counted in each of them.",
  more: "findings affect several categories, and are counted in each of them.",
};

function categoryLine(category: Category, { categories }: CompletedScan, { paint, width }: Print): string {
  const { score, findings, assessed, reason = "no reason given" } = categories[category];
  const title = CATEGORIES[category].title.padEnd(TITLE_WIDTH);
  if (assessed === false) {
    const indent = " ".repeat(TITLE_WIDTH + 8);
    const text = wrapped(`not assessed: ${reason}`, { width, indent }).trimStart();
    return paint("dim", `${title}    –  ${text}`); // aligned with the scores
  }
  const count = severitiesText(findings) || paint("dim", "no findings");
  return `${title}  ${paint(colourOf(score), String(score).padStart(3))}  ${count}`;
}

/** Counts what is folded too: it is in every other format, and `--fail-on low` counts it. */
function findingsSection(
  { shown, information }: { readonly shown: readonly Finding[]; readonly information: readonly Finding[] },
  print: Print,
): string {
  const all = [...shown, ...information];
  if (all.length === 0) return "No findings.";
  const locations = all.flatMap(locationLines).length;
  const title = `Findings: ${severitiesText(all)}, at ${counted(locations, "location")}`;
  return section(title, shown, print) || print.paint("bold", title);
}

/** With an empty line between severities. */
function section(title: string, findings: readonly Finding[], print: Print): string {
  if (findings.length === 0) return "";
  const groups = [...Map.groupBy(findings, ({ severity }) => severity).values()].map((group) =>
    group.map((finding) => findingLines(finding, print)).join("\n"),
  );
  return `${print.paint("bold", title)}\n${groups.map((text) => text.trimEnd()).join("\n\n")}`;
}

function informationBlock(findings: readonly Finding[], print: Print): string {
  if (findings.length === 0) return "";
  const titles = findings.map((finding) => {
    const [first, ...others] = locationLines(finding);
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    const where = first!.location === "GET /" ? "" : ` at ${first!.location}${more}`;
    return `${finding.title}${where}`;
  });
  const text = wrapped(`${titles.join("; ")}.`, print);
  return `${print.paint("bold", "For information")}\n${print.paint("dim", text)}`;
}

function knownSection(known: readonly Instance[], { reasons }: Accepted, { paint }: Print): string {
  if (known.length === 0) return "";
  const lines = known.map(
    ({ id, severity, title, location }) =>
      `- ${severity}: ${plainText(title)}, ${plainText(locationName(location))} (${plainText(reasons.get(id)!)})`,
  );
  return [paint("bold", `Not counted: ${counted(known.length, "location")}`), ...lines].join("\n");
}

function sideEffectSection({ sideEffects = [] }: CompletedScan, print: Print): string {
  if (sideEffects.length === 0) return "";
  return [
    print.paint("bold", "What the scan may have left behind"),
    wrapped(SIDE_EFFECTS, print),
    ...sideEffects.map((each) => noteLines(sideEffectText(each), print)),
  ].join("\n");
}

/** The writes of an active scan: all are counted, those of which something remains are listed. */
function journalSection({ mode, journal }: CompletedScan, print: Print): string {
  const summary = journalText({ mode, journal });
  if (summary === "") return "";
  return [
    print.paint("bold", "What the scan wrote"),
    wrapped(summary, print),
    ...remaining(journal).flatMap((each) => [
      noteLines(journalEntryText(each), print),
      ...(each.curl === undefined ? [] : [`  ${plainText(each.curl)}`]),
    ]),
  ].join("\n");
}

const notes = (all: readonly string[], print: Print): string =>
  all.length === 0
    ? ""
    : [print.paint("bold", "Notes"), ...all.map((note) => noteLines(note, print))].join("\n");

const noteLines = (note: string, { width }: Print): string =>
  `- ${wrapped(note, { width, indent: "  " }).trimStart()}`;

function effort({ statistics, findings }: CompletedScan, print: Print): string {
  const { operations, requests, durationMs } = statistics;
  const seconds = (durationMs / 1000).toFixed(1);
  const more = [
    ...(print.verbose ? [] : ["How to reproduce and fix each finding: --verbose."]),
    "Requests and responses: --format json.",
  ].join(" ");
  const lines = [
    `${counted(operations, "operation")}, ${counted(requests, "request")} in ${seconds} s.`,
    ...(findings.length > 0 ? [more] : []),
  ];
  return print.paint("dim", lines.map((line) => wrapped(line, print)).join("\n"));
}
