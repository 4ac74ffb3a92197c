import { createHash } from "node:crypto";
import {
  CATEGORY_KEYS,
  assess,
  compareFindings,
  type Category,
  type CheckSummary,
  type Report,
  type Evidence,
  type Finding,
  type Location,
} from "@glovebox/contract";
import { type Check, type TargetProfile, severityIn, type Subject, type Verdict } from "./check.ts";
import type { Tested } from "./coverage.ts";
import type { Result } from "./runner.ts";
import { redactText } from "./redact.ts";
import { summaryOf } from "./summary.ts";

/** The report that the results of a scan come to. Pure. */
export function reportOf(scan: {
  checks: readonly Check[];
  results: readonly Result[];
  profile: Pick<TargetProfile, "operations" | "context">;
  tested: Tested;
  notes: readonly string[];
  requests: number;
  durationMs: number;
}): Report {
  const { checks, results, profile, tested } = scan;
  const findings = unique(results.flatMap(({ finding }) => (finding ? [finding] : []))).toSorted(
    compareFindings,
  );
  const summaries = checks.map((check) => checkSummaryOf(check, results));
  const reasons = reasonsByCategory(summaries, tested);
  const verdict = assess({
    findings,
    pairs: tested.pairs,
    operations: tested.operations,
    reasons,
    context: profile.context,
  });
  return {
    score: verdict.score,
    grade: verdict.grade,
    categories: verdict.categories,
    findings,
    summary: summaryOf(tested, verdict),
    coverage: verdict.coverage,
    perimeterOnly: verdict.perimeterOnly,
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

function checkSummaryOf(check: Check, all: readonly Result[]): CheckSummary {
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

/** Why pairs of a category were not decided: how many that are, and what the checks said. */
function reasonsByCategory(summaries: readonly CheckSummary[], { pairs }: Tested): Map<Category, string> {
  return new Map(
    CATEGORY_KEYS.map((category) => {
      const own = summaries.filter((summary) => summary.category === category);
      const reasons = [...new Set(own.flatMap((summary) => summary.reasons))].slice(0, 3).join(" ");
      const { applicable = 0, decided = 0 } = pairs[category] ?? {};
      const share = decided > 0 ? `Only ${decided} of ${applicable} subjects could be tested.` : "";
      return [category, `${share} ${reasons}`.trim() || "No check covers this category."];
    }),
  );
}

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
