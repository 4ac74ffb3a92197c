import {
  CATEGORIES,
  CATEGORY_KEYS,
  type Category,
  type CheckSummary,
  type CompletedScan,
  type Finding,
  type Instance,
} from "@glovebox/contract";
import { instancesOf, passing, locationName } from "@glovebox/domain";
import { explanationOf, markOf, markText } from "./findings.ts";
import type { Marked } from "./formats.ts";
import { Markup, linesOf, markup } from "./markup.ts";
import { counted } from "./text.ts";

/** More passed locations are counted by check, not listed. */
const MAX_PASSED = 20_000;

interface Suite {
  readonly category: Category;
  readonly cases: readonly TestCase[];
}

interface TestCase {
  readonly is: "passed" | "failed" | "skipped";
  readonly xml: Markup;
}

/**
 * JUnit XML: a suite for each category, a case for each check and location. Skipped is what was not assessed, and what was accepted or
 * is a false positive.
 */
export function toJunit(scan: CompletedScan, { marks }: Marked): string {
  const around = { marks, passedNames: passedNamesOf(scan) };
  const suites = CATEGORY_KEYS.map((category) => suiteOf(category, scan, around));
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = (scan.statistics.durationMs / 1000).toFixed(3);
  return `${
    markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Glovebox: ${scan.url}" ${counts(all)} time="${seconds}">
${suites.map((suite) => suiteXml(suite, scan))}</testsuites>`.text
  }\n`;
}

const counts = (cases: readonly TestCase[]): Markup => {
  const count = (is: TestCase["is"]): number => cases.filter((each) => each.is === is).length;
  return markup`tests="${cases.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}"`;
};

const suiteXml = ({ category, cases }: Suite, { completedAt }: CompletedScan): Markup =>
  markup`  <testsuite name="${CATEGORIES[category].title}" ${counts(cases)} timestamp="${completedAt.slice(0, 19)}">
${cases.map(({ xml }) => xml)}  </testsuite>
`;

interface Around extends Pick<Marked, "marks"> {
  /** The names of the cases in which a check passed. */
  readonly passedNames: (summary: CheckSummary) => readonly string[];
}

function suiteOf(category: Category, scan: CompletedScan, { marks, passedNames }: Around): Suite {
  const found = scan.findings.flatMap((finding) =>
    instancesOf(finding)
      .filter((instance) => instance.category === category)
      .map((instance) => foundCase(finding, instance, marks)),
  );
  const checks = scan.checks.filter((check) => check.category === category);
  const { assessed, reason = "" } = scan.categories[category];
  const unassessed =
    assessed === false
      ? [skippedCase({ check: category, name: CATEGORIES[category].title, why: reason })]
      : [];
  return {
    category,
    cases: [...found, ...checks.flatMap((check) => checkCases(check, passedNames(check))), ...unassessed],
  };
}

/** The check, as tools show the packages and classes of a test: `data-exposure.version-disclosure`. */
const className = (check: string): string => check.replaceAll("/", ".");

function foundCase(finding: Finding, instance: Instance, marks: Marked["marks"]): TestCase {
  const { check, title, severity, location, observed, evidence } = instance;
  const mark = markOf(marks, finding, instance);
  const open = markup`    <testcase classname="${className(check)}" name="${locationName(location)}">`;
  if (mark)
    return {
      is: "skipped",
      xml: markup`${open}<skipped message="${title}, ${markText(mark)}"/></testcase>\n`,
    };
  const text = [
    observed,
    explanationOf(finding),
    `Fix: ${finding.remediation}`,
    `Rule: ${evidence.rule}`,
    `Repeat: ${evidence.curl}`,
    `Finding ${finding.id}, instance ${instance.id}`,
  ].join("\n");
  return {
    is: "failed",
    xml: markup`${open}<failure type="${severity}" message="${title}">${linesOf(text)}</failure></testcase>\n`,
  };
}

/** Passed locations; where all of them are too many to list, how many of each check. */
function passedNamesOf(scan: CompletedScan): Around["passedNames"] {
  const total = scan.checks.reduce((sum, { passed }) => sum + passed, 0);
  const hasPassed = passing(scan);
  return ({ check, passed }) => {
    const { places = [] } = scan;
    const listed = total > MAX_PASSED ? [] : places.filter((location) => hasPassed(check, location));
    return listed.length > 0 || passed === 0 ? listed : [`${counted(passed, "location")} passed`];
  };
}

/** What the check passed, and how many locations it could not assess. */
function checkCases({ check, inconclusive, reasons }: CheckSummary, passed: readonly string[]): TestCase[] {
  const why = reasons.join(" ") || "No reason given.";
  const name = `${counted(inconclusive, "location")} not assessed`;
  const skipped = inconclusive > 0 ? [skippedCase({ check, name, why })] : [];
  return [
    ...skipped,
    ...passed.map((location): TestCase => ({
      is: "passed",
      xml: markup`    <testcase classname="${className(check)}" name="${location}"/>\n`,
    })),
  ];
}

const skippedCase = (of: { check: string; name: string; why: string }): TestCase => ({
  is: "skipped",
  xml: markup`    <testcase classname="${className(of.check)}" name="${of.name}"><skipped message="${of.why}"/></testcase>\n`,
});
