import type { CompletedScan, Finding } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { explainFinding } from "@glovebox/report";

const MAX_FINDINGS = 200;

/** A completed scan without the evidence, which is too much for a model. */
export function shortOf(scan: CompletedScan): object {
  const { id, status, url, createdAt, completedAt, score, grade, summary, coverage, findings, notes } = scan;
  const left = findings.length - MAX_FINDINGS;
  return {
    ...{ id, status, url, createdAt, completedAt, score, grade, summary, coverage: coverage.overall, notes },
    categories: Object.fromEntries(
      Object.entries(scan.categories).map(([key, { score: own, assessed }]) => [
        key,
        assessed === false ? "not assessed" : own,
      ]),
    ),
    findings: findings.slice(0, MAX_FINDINGS).map((finding) => ({
      ...{ id: finding.id, severity: finding.severity, confidence: finding.confidence },
      ...{ title: finding.title, category: finding.category, location: finding.location },
      places: instancesOf(finding).length,
    })),
    ...(left > 0 && { findingsLeftOut: left }),
  };
}

/** By its id, or by the id of one of its instances. */
export const findingIn = ({ findings }: CompletedScan, id: string): Finding | undefined =>
  findings.find(
    (finding) => finding.id === id || instancesOf(finding).some((instance) => instance.id === id),
  );

/** What explains a finding, as Markdown; undefined where the scan has none of this id. */
export function explanationOf(scan: CompletedScan, id: string): string | undefined {
  const finding = findingIn(scan, id);
  return finding && explainFinding(finding);
}
