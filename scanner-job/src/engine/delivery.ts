import {
  MAX_OUTCOME_BYTES,
  framedSize,
  outcomeFrames,
  type Finding,
  type Frame,
  type Outcome,
  type Report,
} from "@glovebox/contract";

/** Ways to make a report smaller, the mildest first; each says to the reader what it left out. */
const REDUCTIONS: readonly ((report: Report) => Report)[] = [
  (report) =>
    withFindings(
      report,
      withoutBodies,
      "Bodies were left out of the evidence, because the report was too large.",
    ),
  (report) =>
    withFindings(
      report,
      withoutExchanges,
      "The evidence was reduced to its commands, because the report was too large.",
    ),
  (report) => keepFirst(report, 500),
  (report) => keepFirst(report, 100),
];

/** The frames of an outcome, within what a log may carry. What had to be left out is said in the report's notes. */
export function deliver(outcome: Outcome): Frame[] {
  let frames = outcomeFrames(outcome);
  if (outcome.status === "failed") return frames;
  let { report } = outcome;
  for (const reduce of REDUCTIONS) {
    if (framedSize(frames) <= MAX_OUTCOME_BYTES) return frames;
    report = reduce(report);
    frames = outcomeFrames({ status: "completed", report });
  }
  return frames;
}

type Reducible = Pick<Finding, "evidence">;

function withFindings(report: Report, reduce: <F extends Reducible>(finding: F) => F, note: string): Report {
  const categories = Object.fromEntries(
    Object.entries(report.categories).map(([key, result]) => [
      key,
      { ...result, findings: result.findings.map(reduce) },
    ]),
  ) as Report["categories"];
  return { ...report, categories, findings: report.findings.map(reduce), notes: [...report.notes, note] };
}

function withoutBodies<F extends Reducible>(finding: F): F {
  const exchanges = finding.evidence.exchanges.map((exchange) => ({
    ...exchange,
    response: { ...exchange.response, body: exchange.response.body.slice(0, 200) },
  }));
  return { ...finding, evidence: { ...finding.evidence, exchanges } };
}

const withoutExchanges = <F extends Reducible>(finding: F): F => ({
  ...finding,
  evidence: { ...finding.evidence, exchanges: [] },
});

/** Scores stand: they were computed over all findings. */
function keepFirst(report: Report, count: number): Report {
  const kept = report.findings.slice(0, count);
  if (kept.length === report.findings.length) return report;
  const ids = new Set(kept.map(({ id }) => id));
  const categories = Object.fromEntries(
    Object.entries(report.categories).map(([key, result]) => [
      key,
      { ...result, findings: result.findings.filter(({ id }) => ids.has(id)) },
    ]),
  ) as Report["categories"];
  const note = `Only the first ${count} of ${report.findings.length} findings are listed; the scores count all of them.`;
  return { ...report, categories, findings: kept, notes: [...report.notes, note] };
}
