import type { CategoryFinding, Report } from "@glovebox/contract";

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
