import {
  CATEGORY_KEYS,
  type Category,
  type Finding,
  type Coverage,
  type CategoryResult,
  type Grade,
  type Report,
  type Scoring,
} from "@glovebox/contract";
import { type CoverageFacts, coverageOf, decidedShare } from "./coverage.ts";
import { deductionsFor, type Deduction } from "./deductions.ts";
import { categoriesOf, compareFindings } from "./findings.ts";
import { weightOf } from "./weights.ts";
import { capOf, isPerimeterOnly, limitsOf, type Limit } from "./limits.ts";

export const GRADE_FLOORS: readonly (readonly [Grade, number])[] = [
  ["A", 90],
  ["B", 80],
  ["C", 70],
  ["D", 60],
  ["F", 0],
];
/** A category is assessed when this share of what applies to it was decided. */
export const ASSESSED_FROM = 0.3;

export interface Assessment extends CoverageFacts {
  readonly findings: readonly Finding[];
  /** Why pairs of a category were not decided, or why it does not apply. */
  readonly reasons: ReadonlyMap<Category, string>;
}

export interface Verdict {
  readonly score: number;
  readonly grade: Grade;
  readonly categories: Record<Category, CategoryResult>;
  readonly coverage: Coverage;
  readonly perimeterOnly: boolean;
  readonly scoring: Scoring;
}

/** Score, grade, coverage and category results of a scan, and every deduction that led to them. Pure. */
export function assess(assessment: Assessment): Verdict {
  const findings = assessment.findings.toSorted(compareFindings);
  const deductions = deductionsFor(findings);
  const categories = Object.fromEntries(
    CATEGORY_KEYS.map((category) => [
      category,
      categoryResult(category, { ...assessment, findings }, deductions),
    ]),
  ) as Record<Category, CategoryResult>;
  const coverage = coverageOf(
    assessment,
    CATEGORY_KEYS.filter((key) => categories[key].assessed !== false).length,
  );
  const weights = weightsOf(assessment, deductions);
  const weightedMean = meanOf(categories, weights);
  const cap = capOf(findings);
  const limits = limitsOf(weightedMean, { cap, coverage });
  const score = scoreUnder(limits, weightedMean);
  const perimeterOnly = isPerimeterOnly(coverage);
  const scoring = { weights, weightedMean, deductions, cap, limits };
  return { score, grade: gradeOf(score), categories, coverage, perimeterOnly, scoring };
}

/**
 * The score that a report would have without the findings that do not count, such as accepted ones. What was tested, and
 * the weights, come from the report; a category whose findings all do not count is assessed if enough of it was tested. Pure.
 */
export function rescore(
  report: Pick<Report, "findings" | "categories" | "coverage" | "scoring">,
  isCounted: (finding: Finding) => boolean,
): Pick<Verdict, "score" | "grade" | "scoring"> {
  const findings = report.findings.filter(isCounted);
  const deductions = deductionsFor(findings);
  const weights = Object.fromEntries(
    Object.entries(report.scoring.weights).flatMap(([key, weight]) => {
      const category = key as Category;
      if (hasDeduction(category, deductions)) return [[category, weight]];
      const share = shareWithout(category, report);
      return share === undefined ? [] : [[category, weight * share]];
    }),
  );
  const categories = Object.fromEntries(
    CATEGORY_KEYS.map((category) => [category, { score: scoreOf(category, deductions) }]),
  ) as Record<Category, { score: number }>;
  const weightedMean = meanOf(categories, weights);
  const cap = capOf(findings);
  const limits = limitsOf(weightedMean, { cap, coverage: report.coverage });
  const score = scoreUnder(limits, weightedMean);
  return { score, grade: gradeOf(score), scoring: { weights, weightedMean, deductions, cap, limits } };
}

/**
 * What the weight of a category is multiplied by when its findings do not count; undefined where it is not assessed without
 * them. In older reports the weights were multiplied by the share already.
 */
function shareWithout(
  category: Category,
  { coverage: { pairs }, scoring }: Pick<Report, "coverage" | "scoring">,
): number | undefined {
  if (pairs === undefined) return 1;
  const share = decidedShare(pairs[category]);
  if (share < ASSESSED_FROM) return undefined;
  const hadFindings = hasDeduction(category, scoring.deductions);
  return hadFindings && pairs[category]?.share !== undefined ? share : 1;
}

const hasDeduction = (category: Category, deductions: readonly Deduction[]): boolean =>
  deductions.some((deduction) => deduction.category === category);

/** To a millionth first: floating-point errors must not decide about a half. */
const scoreUnder = (limits: readonly Limit[], weightedMean: number): number =>
  Math.round(Number((limits.at(-1)?.points ?? weightedMean).toFixed(6)));

function categoryResult(
  category: Category,
  { findings: all, pairs, reasons }: Assessment,
  deductions: readonly Deduction[],
): CategoryResult {
  const findings = all
    .filter((finding) => categoriesOf(finding).includes(category))
    .map(({ category: _, ...finding }) => finding);
  if (findings.length === 0 && decidedShare(pairs[category]) < ASSESSED_FROM) {
    const reason = reasons.get(category) ?? "No check covers this category.";
    return { score: 100, findings: [], assessed: false, reason };
  }
  return { score: scoreOf(category, deductions), findings };
}

function scoreOf(category: Category, deductions: readonly Deduction[]): number {
  const lost = deductions
    .filter((deduction) => deduction.category === category)
    .reduce((sum, { points }) => sum + points, 0);
  return Math.max(0, Math.round(100 - lost));
}

/**
 * A category without findings counts by its decided share, if that is enough to be assessed. One with findings counts in
 * full: if its weight shrank with what was tested, testing less of it would raise the score.
 */
function weightsOf(
  { pairs, context }: Assessment,
  deductions: readonly Deduction[],
): Partial<Record<Category, number>> {
  return Object.fromEntries(
    CATEGORY_KEYS.flatMap((category) => {
      const share = hasDeduction(category, deductions) ? 1 : decidedShare(pairs[category]);
      return share < ASSESSED_FROM ? [] : [[category, weightOf(category, context) * share]];
    }),
  );
}

function meanOf(
  categories: Record<Category, Pick<CategoryResult, "score">>,
  weights: Partial<Record<Category, number>>,
): number {
  let weighted = 0;
  let total = 0;
  for (const category of CATEGORY_KEYS) {
    const weight = weights[category] ?? 0;
    weighted += weight * categories[category].score;
    total += weight;
  }
  // Rounding errors may lift a mean of nothing but 100s above it.
  return total === 0 ? 100 : Math.min(100, weighted / total);
}

/** The grade of a score. What was not tested has lowered the score already. */
export const gradeOf = (score: number): Grade => GRADE_FLOORS.find(([, floor]) => score >= floor)![0];
