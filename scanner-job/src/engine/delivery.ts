import {
  MAX_INFLATED_BYTES,
  MAX_OUTCOME_BYTES,
  MAX_VALUES,
  framedSize,
  outcomeFrames,
  type Frame,
  type Outcome,
} from "@glovebox/scan-run";
import { categoriesOf } from "@glovebox/domain";
import {
  type CategoryFinding,
  type Evidence,
  type Finding,
  type JournalEntry,
  type Location,
  type Report,
  type SideEffect,
} from "@glovebox/contract";

/** Ways to reduce a report, the mildest first; each adds a note about what it left out. */
const REDUCTIONS: readonly ((whole: Report) => Report)[] = [
  (whole) => whole,
  (whole) =>
    noted(
      withoutSideEffectBodies(mapFindings(whole, withoutBodies)),
      "Bodies were left out of the evidence, because the report was too large.",
    ),
  withCommandsAlone,
  ...[500, 200, 100, 50, 20].map(
    (count) => (whole: Report) => keepFirst(withFirstLocations(withCommandsAlone(whole), count), count),
  ),
  (whole) => brief(keepFirst(withFirstLocations(withCommandsAlone(whole), 5), 0)),
];

/** The frames of an outcome, within the size limit of a log. The notes of the report list what was left out. */
export function deliver(outcome: Outcome): Frame[] {
  if (outcome.status === "failed") return outcomeFrames(outcome);
  for (const reduce of REDUCTIONS) {
    const report = reduce(outcome.report);
    if (inflatedSize(report) > MAX_INFLATED_BYTES || valuesIn(report) > MAX_VALUES) continue;
    const frames = outcomeFrames({ status: "completed", report });
    if (framedSize(frames) <= MAX_OUTCOME_BYTES) return frames;
  }
  throw new Error("The report is too large even without its optional parts");
}

/** Bytes of the report as JSON, counted finding by finding: one string of it might exceed the memory limit. */
function inflatedSize({ findings, categories: _, ...rest }: Report): number {
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 32;
  const times = (finding: Finding): number => 1 + categoriesOf(finding).length;
  return bytes(rest) + findings.reduce((sum, finding) => sum + times(finding) * bytes(finding), 4096);
}

/** Number of JSON values, an upper bound of what the reader of the frames counts. */
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

/** The evidence of a finding and of each of its instances, changed. */
function mapEvidence<F extends CategoryFinding>(finding: F, change: (evidence: Evidence) => Evidence): F {
  const instances = finding.instances?.map((each) => ({ ...each, evidence: change(each.evidence) }));
  return { ...finding, evidence: change(finding.evidence), ...(instances && { instances }) };
}

const withoutBodies: Change = (finding) =>
  mapEvidence(finding, (evidence) => ({
    ...evidence,
    exchanges: evidence.exchanges.map((exchange) => ({
      ...exchange,
      response: { ...exchange.response, body: exchange.response.body.slice(0, 200).toWellFormed() },
    })),
  }));

const withoutSideEffectBodies = (report: Report): Report => ({
  ...report,
  ...(report.sideEffects && { sideEffects: report.sideEffects.map(briefSideEffect) }),
  ...(report.journal && { journal: report.journal.map(briefJournalEntry) }),
});

/** Which request it was, and the status of the response. */
const briefSideEffect = ({ operation, request, response, cleaned }: SideEffect): SideEffect => ({
  operation: briefLocation(operation),
  request: briefRequest(request),
  response: briefResponse(response),
  cleaned,
});

/** What remains is told in full: somebody has to delete it. */
const briefJournalEntry = ({ operation, request, response, ...rest }: JournalEntry): JournalEntry => ({
  operation: briefLocation(operation),
  request: briefRequest(request),
  ...(response && { response: briefResponse(response) }),
  ...rest,
});

const briefRequest = ({ method, url, body }: SideEffect["request"]): SideEffect["request"] => ({
  method: cut(method, 20),
  url: cut(url, 300),
  headers: {},
  ...(body !== undefined && { body: cut(body, 200) }),
});

const briefResponse = ({ status }: SideEffect["response"]): SideEffect["response"] => ({
  status,
  headers: {},
  body: "",
});

function withCommandsAlone(whole: Report): Report {
  const reduced = mapFindings(withoutSideEffectBodies(whole), (finding) =>
    mapEvidence(finding, (evidence) => ({ ...evidence, exchanges: [] })),
  );
  return noted(reduced, "The evidence was reduced to its commands, because the report was too large.");
}

/** Each finding with its first `count` locations; a note gives the number of the others. */
function withFirstLocations(whole: Report, count: number): Report {
  const max = Math.max(0, ...whole.findings.map(({ instances }) => instances?.length ?? 0));
  if (max <= count) return whole;
  const reduced = mapFindings(whole, (finding) => ({
    ...finding,
    ...(finding.instances && { instances: finding.instances.slice(0, count) }),
  }));
  return noted(
    reduced,
    `Only the first ${count} locations of each finding are listed, of up to ${max}, because the report was too large; the scores count all of them.`,
  );
}

/** The first findings, and the first of each category. Scores do not change: they were computed over all findings. */
function keepFirst(report: Report, count: number): Report {
  const isFirst = (finding: Finding, index: number): boolean =>
    categoriesOf(finding).some(
      (category) => report.findings.findIndex((other) => categoriesOf(other).includes(category)) === index,
    );
  const listed = report.findings.filter((finding, index) => index < count || isFirst(finding, index));
  if (listed.length === report.findings.length) return report;
  const ids = new Set(listed.map(({ id }) => id));
  const categories = mapCategories(report, (findings) => findings.filter(({ id }) => ids.has(id)));
  return noted(
    { ...report, categories, findings: listed },
    `Only ${listed.length} of ${report.findings.length} findings are listed, because the report was too large; the scores count all of them.`,
  );
}

const noted = (report: Report, note: string): Report => ({ ...report, notes: [...report.notes, note] });

/** The report with every list and text truncated, so that its size does not depend on the target's responses. */
function brief(report: Report): Report {
  const { categories, findings, sideEffects, journal, scoring, checks, notes, places: _, ...rest } = report;
  const listed = new Set(findings.map(({ id }) => id));
  return {
    ...rest,
    ...(sideEffects && { sideEffects: sideEffects.map(briefSideEffect) }),
    ...(journal && { journal: journal.map(briefJournalEntry) }),
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
    checks: checks.map(({ passedAt: _passedAt, undecided: _undecided, ...check }) => ({
      ...check,
      reasons: check.reasons.slice(0, 2).map((reason) => cut(reason, 200)),
    })),
    notes: notes.slice(-20).map((note) => cut(note, 300)),
  };
}

function briefFinding<F extends CategoryFinding>(finding: F): F {
  return {
    ...finding,
    ...briefInstance(finding),
    description: cut(finding.description, 1_000),
    ...(finding.explanation !== undefined && { explanation: cut(finding.explanation, 1_000) }),
    ...(finding.instances && {
      instances: finding.instances.map((instance) => ({ ...instance, ...briefInstance(instance) })),
    }),
  };
}

const briefInstance = ({
  location,
  subject,
  observed,
  evidence,
}: Pick<CategoryFinding, "location" | "subject" | "observed" | "evidence">) => ({
  location: briefLocation(location),
  ...(subject && { subject: briefLocation(subject) }),
  ...(observed !== undefined && { observed: cut(observed, 500) }),
  // A truncated command would be a different command.
  evidence: { ...evidence, exchanges: [], curl: evidence.curl.length > 2_000 ? "" : evidence.curl },
});

/** A location with its texts truncated. */
export const briefLocation = ({ method, path, parameter }: Location): Location => ({
  method: cut(method, 20),
  path: cut(path, 500),
  ...(parameter !== undefined && { parameter: cut(parameter, 100) }),
});

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
