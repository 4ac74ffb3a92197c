import { VERSION, type CompletedScan, type Finding, type Severity } from "@glovebox/contract";
import { instancesOf, locationName, type Mark } from "@glovebox/domain";
import { markText, partsOf, locationsOf, type Part } from "../findings.ts";
import type { Marked } from "../formats.ts";
import { sourceOf } from "../source-location.ts";
import { beginning, counted, plainText } from "../text.ts";
import { rulesOf, type Rule } from "./rules.ts";

/** GitHub takes no more results of one run. */
const MAX_RESULTS = 25_000;
const MAX_MESSAGE_LENGTH = 2_000;
/** Other locations that a result names. */
const MAX_LOCATIONS = 100;

const LEVELS: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  info: "note",
};

/** SARIF 2.1.0 (OASIS), as GitHub's code scanning takes it: one result for each weakness, at its first location. */
export function toSarif(scan: CompletedScan, marked: Marked): string {
  const parts = partsOf(scan.findings, marked.marks).toSorted(openFirst);
  const rules = rulesOf(scan.findings);
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  const shown = parts.slice(0, MAX_RESULTS);
  const notes = [...scan.notes, ...cutNote(parts.length - shown.length)];
  const run = {
    tool: { driver: driver(rules, scan) },
    automationDetails: { id: `glovebox/${encodeURIComponent(hostOf(scan.url))}/` },
    columnKind: "utf16CodeUnits",
    invocations: [
      {
        executionSuccessful: true,
        startTimeUtc: scan.createdAt,
        endTimeUtc: scan.completedAt,
        ...(notes.length > 0 && {
          toolExecutionNotifications: notes.map((note) => ({
            level: "note",
            message: { text: messageText(note) },
          })),
        }),
      },
    ],
    results: shown.map((part) => resultOf(part, { scan, marked, indices })),
    properties: {
      ...{ scan: scan.id, url: plainText(scan.url), score: scan.score, grade: scan.grade },
      ...(scan.mode && { mode: scan.mode }),
      ...(scan.coverage.overall !== undefined && { coverage: scan.coverage.overall }),
    },
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, undefined, 2)}\n`;
}

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

// What is cut off, if anything, is what is done with.
const openFirst = (a: Part, b: Part): number => Number(a.mark !== undefined) - Number(b.mark !== undefined);

const cutNote = (left: number): string[] =>
  left > 0 ? [`${counted(left, "finding")} left out: a run has at most ${MAX_RESULTS}.`] : [];

const hostOf = (url: string): string => URL.parse(url)?.host ?? "target";

/** Older reports do not have the version that made them; GitHub takes no run without one. */
const driver = (rules: readonly Rule[], { scannerVersion = VERSION }: CompletedScan) => ({
  name: "Glovebox",
  informationUri: "https://glovebox.dev",
  version: scannerVersion,
  semanticVersion: scannerVersion,
  rules,
});

interface Around {
  readonly scan: CompletedScan;
  readonly marked: Marked;
  readonly indices: ReadonlyMap<string, number>;
}

function resultOf({ finding, mark }: Part, { scan, marked, indices }: Around) {
  const [first, ...others] = sarifLocations(finding, { scan, marked });
  return {
    ruleId: finding.check,
    ruleIndex: indices.get(finding.check)!,
    level: LEVELS[finding.severity],
    message: { text: messageText(messageOf(finding)) },
    locations: [first],
    ...(others.length > 0 && { relatedLocations: others.slice(0, MAX_LOCATIONS) }),
    // GitHub follows an alert by the first of these alone.
    partialFingerprints: { primaryLocationLineHash: `${finding.id}:1`, "gloveboxFinding/v1": finding.id },
    ...(mark && { suppressions: [suppressionOf(mark)] }),
    properties: {
      ...{ severity: finding.severity, confidence: finding.confidence, category: finding.category },
      ...(finding.alsoAffects && { alsoAffects: finding.alsoAffects }),
      ...(finding.evidence.curl !== "" && { curl: plainText(finding.evidence.curl) }),
    },
  };
}

function messageOf(finding: Finding): string {
  const { title, observed, description } = finding;
  const more = locationsOf(finding).length - 1;
  const also = more > 0 ? ` And at ${counted(more, "more location")}.` : "";
  const where = locationName(finding.location);
  return `${title}: ${where}. ${beginning(observed ?? description, MAX_MESSAGE_LENGTH)}${also}`;
}

function sarifLocations(finding: Finding, { scan: { url }, marked }: Pick<Around, "scan" | "marked">) {
  const byLocation = new Map(instancesOf(finding).map(({ location }) => [locationName(location), location]));
  return [...byLocation].map(([name, location], index) => {
    const { path, line } = sourceOf(location, { url, document: marked.document });
    const uri = path.split("/").map(encodeURIComponent).join("/");
    return {
      ...(index > 0 && { id: index }),
      physicalLocation: { artifactLocation: { uri }, region: { startLine: line } },
      logicalLocations: [{ fullyQualifiedName: plainText(name), kind: "function" }],
      ...(index > 0 && { message: { text: messageText(name) } }),
    };
  });
}

/** The states of SARIF: an acceptance is decided, whoever did. */
const suppressionOf = (mark: Mark) => ({
  kind: "external",
  status: "accepted",
  justification: plainText(markText(mark)),
});

/** A plain text message (SARIF 2.1.0, section 3.11.5): brackets are links unless they are escaped. */
const messageText = (text: string): string => plainText(text).replaceAll(/[\\[\]]/g, "\\$&");
