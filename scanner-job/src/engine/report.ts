import { createHash } from "node:crypto";
import {
  CATEGORY_KEYS,
  assess,
  compareFindings,
  type Category,
  type CheckSummary,
  type Coverage,
  type Report,
  type Evidence,
  type Finding,
  type Location,
} from "@glovebox/contract";
import { type Check, type TargetProfile, severityIn, type Subject, type Verdict } from "./check.ts";
import type { Result } from "./runner.ts";
import { redactText } from "./redact.ts";

/** The report that the results of a scan come to. Pure. */
export function reportOf(scan: {
  checks: readonly Check[];
  results: readonly Result[];
  profile: Pick<TargetProfile, "operations" | "context">;
  notes: readonly string[];
  requests: number;
  durationMs: number;
}): Report {
  const { checks, results, profile } = scan;
  const findings = unique(results.flatMap(({ finding }) => (finding ? [finding] : []))).toSorted(
    compareFindings,
  );
  const summaries = checks.map((check) => summaryOf(check, results));
  const unassessed = unassessedCategories(summaries);
  const coverage = coverageOf(profile.operations, results, unassessed.size);
  const verdict = assess({ findings, unassessed, coverage, context: profile.context });
  return {
    score: verdict.score,
    grade: verdict.grade,
    categories: verdict.categories,
    findings,
    coverage,
    scoring: verdict.scoring,
    checks: summaries,
    notes: [...scan.notes],
    statistics: {
      requests: scan.requests,
      operations: profile.operations.length,
      durationMs: Math.round(scan.durationMs),
    },
  };
}

const unique = <T extends { id: string }>(findings: readonly T[]): T[] => [
  ...new Map(findings.map((finding) => [finding.id, finding])).values(),
];

function summaryOf(check: Check, all: readonly Result[]): CheckSummary {
  const results = all.filter((result) => result.check === check);
  const count = (outcome: string) => results.filter(({ verdict }) => verdict.outcome === outcome).length;
  const reasons = results.flatMap(({ verdict }) =>
    verdict.outcome === "inconclusive" ? [verdict.reason] : [],
  );
  return {
    check: check.id,
    category: check.category,
    passed: count("pass"),
    failed: count("fail"),
    inconclusive: count("inconclusive"),
    reasons: results.length === 0 ? [check.notApplicable] : [...new Set(reasons)].slice(0, 5),
  };
}

/** A category is assessed when at least one of its checks came to a pass or a fail. */
function unassessedCategories(summaries: readonly CheckSummary[]): Map<Category, string> {
  const unassessed = new Map<Category, string>();
  for (const category of CATEGORY_KEYS) {
    const own = summaries.filter((summary) => summary.category === category);
    if (own.some(({ passed, failed }) => passed + failed > 0)) continue;
    const reasons = new Set(own.flatMap((summary) => summary.reasons));
    unassessed.set(category, [...reasons].slice(0, 3).join(" ") || "No check covers this category.");
  }
  return unassessed;
}

function coverageOf(
  operations: TargetProfile["operations"],
  results: readonly Result[],
  unassessed: number,
): Coverage {
  const examined = new Set(
    results.flatMap(({ subject, verdict }) =>
      subject.operation && verdict.outcome !== "inconclusive" ? [subject.operation] : [],
    ),
  );
  return {
    categories: round(1 - unassessed / CATEGORY_KEYS.length),
    operations: operations.length === 0 ? 0 : round(examined.size / operations.length),
  };
}

const round = (share: number): number => Math.round(share * 1000) / 1000;

/** The finding that a check's failed verdict on a subject amounts to. */
export function findingOf(
  {
    check,
    subject,
    verdict,
    evidence,
  }: { check: Check; subject: Subject; verdict: Verdict & { outcome: "fail" }; evidence: Evidence },
  { context }: Pick<TargetProfile, "context">,
): Finding {
  const location = verdict.instead.location ?? subject.location;
  return {
    category: check.category,
    severity: verdict.instead.severity ?? severityIn(check, context),
    title: check.title,
    description: `${check.description} ${redactText(verdict.observed, 500)}`,
    remediation: check.remediation,
    id: findingId(check.id, location),
    check: check.id,
    confidence: verdict.instead.confidence ?? check.confidence,
    location,
    evidence,
    references: check.references,
  };
}

/** The same weakness at the same place has the same id in every scan. */
function findingId(checkId: string, { method, path, parameter }: Location): string {
  return createHash("sha256")
    .update(JSON.stringify([checkId, method, path, parameter ?? null]))
    .digest("hex")
    .slice(0, 16);
}
