import {
  MAX_INFLATED_BYTES,
  MAX_OUTCOME_BYTES,
  MAX_VALUES,
  framedSize,
  outcomeFrames,
  type CategoryFinding,
  type Finding,
  type Frame,
  type Outcome,
  type Report,
} from "@glovebox/contract";

/** Ways to make a report smaller, the mildest first; each says to the reader what it left out. */
const REDUCTIONS: readonly ((whole: Report) => Report)[] = [
  (whole) => whole,
  (whole) =>
    noted(
      mapFindings(whole, withoutBodies),
      "Bodies were left out of the evidence, because the report was too large.",
    ),
  withCommandsAlone,
  ...[500, 200, 100, 50, 20].map((count) => (whole: Report) => keepFirst(withCommandsAlone(whole), count)),
  (whole) => brief(keepFirst(withCommandsAlone(whole), 0)),
];

/** The frames of an outcome, within what a log may carry. What had to be left out is said in the report's notes. */
export function deliver(outcome: Outcome): Frame[] {
  if (outcome.status === "failed") return outcomeFrames(outcome);
  for (const reduce of REDUCTIONS) {
    const report = reduce(outcome.report);
    if (inflatedSize(report) > MAX_INFLATED_BYTES || valuesIn(report) > MAX_VALUES) continue;
    const frames = outcomeFrames({ status: "completed", report });
    if (framedSize(frames) <= MAX_OUTCOME_BYTES) return frames;
  }
  throw new Error("The report is too large, whatever is left out of it");
}

/** Bytes of the report as JSON, told piece by piece: as one string it might take more memory than there is. */
function inflatedSize({ findings, categories: _, ...rest }: Report): number {
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 32;
  return bytes(rest) + findings.reduce((sum, finding) => sum + 2 * bytes(finding), 4096); // and in its category
}

/** At least as many as a reader counts. */
const valuesIn = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1)
    : 1;

type Change = <F extends CategoryFinding>(finding: F) => F;

function mapFindings(report: Report, change: Change): Report {
  const categories = mapCategories(report, (findings) => findings.map(change));
  return { ...report, categories, findings: report.findings.map(change) };
}

function mapCategories(
  { categories }: Report,
  change: (findings: CategoryFinding[]) => CategoryFinding[],
): Report["categories"] {
  return Object.fromEntries(
    Object.entries(categories).map(([key, result]) => [
      key,
      { ...result, findings: change(result.findings) },
    ]),
  ) as Report["categories"];
}

function withoutBodies<F extends CategoryFinding>(finding: F): F {
  const exchanges = finding.evidence.exchanges.map((exchange) => ({
    ...exchange,
    response: { ...exchange.response, body: exchange.response.body.slice(0, 200).toWellFormed() },
  }));
  return { ...finding, evidence: { ...finding.evidence, exchanges } };
}

function withCommandsAlone(whole: Report): Report {
  const reduced = mapFindings(whole, (finding) => ({
    ...finding,
    evidence: { ...finding.evidence, exchanges: [] },
  }));
  return noted(reduced, "The evidence was reduced to its commands, because the report was too large.");
}

/** Scores stand: they were computed over all findings. Every category that has findings keeps its first. */
function keepFirst(report: Report, count: number): Report {
  const isFirst = ({ category }: Finding, index: number): boolean =>
    report.findings.findIndex((other) => other.category === category) === index;
  const kept = report.findings.filter((finding, index) => index < count || isFirst(finding, index));
  if (kept.length === report.findings.length) return report;
  const ids = new Set(kept.map(({ id }) => id));
  const categories = mapCategories(report, (findings) => findings.filter(({ id }) => ids.has(id)));
  return noted(
    { ...report, categories, findings: kept },
    `Only ${kept.length} of ${report.findings.length} findings are listed, because the report was too large; the scores count all of them.`,
  );
}

const noted = (report: Report, note: string): Report => ({ ...report, notes: [...report.notes, note] });

/** The report with every list and text cut, so that its size depends on nothing that a target says. */
export function brief(report: Report): Report {
  const { categories, findings, scoring, checks, notes } = report;
  const listed = new Set(findings.map(({ id }) => id));
  return {
    ...report,
    findings: findings.map(briefFinding),
    categories: Object.fromEntries(
      Object.entries(categories).map(([key, result]) => [
        key,
        {
          ...result,
          findings: result.findings.map(briefFinding),
          ...(result.reason !== undefined && { reason: cut(result.reason, 300) }),
        },
      ]),
    ) as Report["categories"],
    scoring: { ...scoring, deductions: scoring.deductions.filter(({ finding }) => listed.has(finding)) },
    checks: checks.map((check) => ({
      ...check,
      reasons: check.reasons.slice(0, 2).map((reason) => cut(reason, 200)),
    })),
    notes: notes.slice(-20).map((note) => cut(note, 300)),
  };
}

function briefFinding<F extends CategoryFinding>(finding: F): F {
  const { description, location, evidence } = finding;
  return {
    ...finding,
    description: cut(description, 1_000),
    location: {
      method: cut(location.method, 20),
      path: cut(location.path, 500),
      ...(location.parameter !== undefined && { parameter: cut(location.parameter, 100) }),
    },
    // Part of a command would be another command.
    evidence: { ...evidence, exchanges: [], curl: evidence.curl.length > 2_000 ? "" : evidence.curl },
  };
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
