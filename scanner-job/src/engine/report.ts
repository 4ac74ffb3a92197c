import {
  CATEGORY_KEYS,
  VERSION,
  assess,
  compareFindings,
  decidedShare,
  instanceId,
  type Category,
  type CheckSummary,
  type Report,
  type Evidence,
  type Finding,
  type Undecided,
} from "@glovebox/contract";
import { accessGrid } from "./access-grid.ts";
import { type Check, type TargetProfile, severityIn, type Subject, type Verdict } from "./check.ts";
import type { Tested } from "./coverage.ts";
import type { Result } from "./runner.ts";
import { referencesAt } from "./cvss.ts";
import { redactText } from "./redact.ts";
import { passedAt, placesOf, reachesIn } from "./passed.ts";
import { byRootCause } from "./root-causes.ts";
import { percent, summaryOf } from "./summary.ts";

/** The report of a scan, from its results. Pure. */
export function reportOf(scan: {
  checks: readonly Check[];
  results: readonly Result[];
  profile: Pick<TargetProfile, "operations" | "context" | "document">;
  tested: Tested;
  notes: readonly string[];
  requests: number;
  durationMs: number;
}): Report {
  const { checks, results, profile, tested } = scan;
  const findings = byRootCause(results.flatMap(({ finding }) => (finding ? [finding] : []))).toSorted(
    compareFindings,
  );
  const places = placesOf(results);
  const reaches = reachesIn(results);
  const summaries = checks.map((check) =>
    checkSummaryOf(
      results.filter((result) => result.check === check),
      { check, passed: (own) => passedAt(own, { places, reaches }) },
    ),
  );
  const reasons = reasonsByCategory(summaries, tested);
  const verdict = assess({ ...tested, findings, reasons, context: profile.context });
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
    places,
    anonymousAccess: accessGrid(profile, tested.reaches),
    notes: [...scan.notes],
    scannerVersion: VERSION,
    statistics: {
      requests: scan.requests,
      operations: profile.operations.length,
      durationMs: Math.round(scan.durationMs),
    },
  };
}

function checkSummaryOf(
  results: readonly Result[],
  { check, passed }: { check: Check; passed: (results: readonly Result[]) => string },
): CheckSummary {
  const places = passed(results);
  const count = (outcome: string) => results.filter(({ verdict }) => verdict.outcome === outcome).length;
  const reasons = results.flatMap(({ verdict }) =>
    verdict.outcome === "inconclusive" ? [verdict.reason] : [],
  );
  const undecided = undecidedIn(results);
  return {
    check: check.id,
    category: check.category,
    passed: count("pass"),
    failed: count("fail"),
    inconclusive: count("inconclusive"),
    reasons: results.length === 0 ? [check.notApplicable] : [...new Set(reasons)].slice(0, 5),
    ...(undecided.length > 0 && { undecided }),
    ...(places !== "" && { passedAt: places }),
  };
}

/** What does not apply has nothing to decide. */
function undecidedIn(results: readonly Result[]): Undecided[] {
  const reasons = results.flatMap(({ verdict }) =>
    verdict.outcome === "inconclusive" && verdict.applies !== false ? [verdict.reason] : [],
  );
  return [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, same]) => ({ reason, count: same.length }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 20);
}

/** Why pairs of a category were not decided: their share, and the reasons of the checks. */
function reasonsByCategory(summaries: readonly CheckSummary[], { pairs }: Tested): Map<Category, string> {
  return new Map(
    CATEGORY_KEYS.map((category) => {
      const own = summaries.filter((summary) => summary.category === category);
      const reasons = [...new Set(own.flatMap((summary) => summary.reasons))].slice(0, 3).join(" ");
      const share = decidedShare(pairs[category]);
      const tested = share > 0 ? `Only ${percent(share)} of what applies was tested.` : "";
      return [category, `${tested} ${reasons}`.trim() || "No check covers this category."];
    }),
  );
}

/** The finding for a failed verdict of a check on a subject. */
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
  const severity = verdict.instead.severity ?? severityIn(check, context);
  const id = instanceId(check.id, location);
  const { pointer } = verdict.instead;
  const observed = redactText(verdict.observed, 500);
  return {
    category: check.category,
    severity,
    title: check.title,
    description: `${observed} ${check.description}`,
    remediation: check.remediation,
    id,
    check: check.id,
    confidence: verdict.instead.confidence ?? check.confidence,
    location,
    ...(id !== instanceId(check.id, subject.location) && { subject: subject.location }),
    observed,
    evidence: pointer === undefined ? evidence : { rule: check.rule, exchanges: [], curl: "", pointer },
    references: referencesAt(severity, check.references),
  };
}
