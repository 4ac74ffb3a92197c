import { CATEGORY_KEYS, type Category } from "./categories.ts";
import { deductionsFor, type Deduction } from "./deductions.ts";
import { categoriesOf, compareFindings, type Finding } from "./finding.ts";
import type { ScanContext } from "./scan.ts";
import { decidedShare, type Coverage, type OperationCounts, type PairsByCategory } from "./coverage.ts";
import { capOf, isPerimeterOnly, limitsOf, type Limit } from "./limits.ts";
import type { CategoryResult, Grade, Report, Scoring } from "./report.ts";

/** Weight of each category in the overall score, for an API of no particular context. */
export const WEIGHTS: Record<Category, number> = {
  authentication: 14,
  bolaAuthorization: 14,
  bflaAuthorization: 12,
  propertyAuthorization: 8,
  inputValidation: 10,
  rateLimiting: 6,
  dataExposure: 10,
  encryption: 10,
  ssrf: 6,
  inventoryManagement: 4,
  unsafeConsumption: 3,
  llmSecurity: 12,
};

/** Multipliers of a context for these weights; 1 by default. */
export const CONTEXT_MULTIPLIERS: Record<ScanContext, Partial<Record<Category, number>>> = {
  public: {},
  financial: {
    authentication: 1.3,
    bolaAuthorization: 1.4,
    bflaAuthorization: 1.3,
    propertyAuthorization: 1.3,
    rateLimiting: 1.5,
  },
  medical: { dataExposure: 1.6, bolaAuthorization: 1.4, propertyAuthorization: 1.4, encryption: 1.4 },
  internal: { inventoryManagement: 0.4, rateLimiting: 0.6, ssrf: 1.4 },
};

export const GRADE_FLOORS: readonly (readonly [Grade, number])[] = [
  ["A", 90],
  ["B", 80],
  ["C", 70],
  ["D", 60],
  ["F", 0],
];
/** A category is assessed when this share of its pairs was decided. */
export const ASSESSED_FROM = 0.3;

export interface Assessment {
  readonly findings: readonly Finding[];
  readonly pairs: PairsByCategory;
  readonly operations: OperationCounts;
  /** Why pairs of a category were not decided, or why it does not apply. */
  readonly reasons: ReadonlyMap<Category, string>;
  readonly context?: ScanContext | undefined;
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
  const coverage = coverageOf(assessment, categories);
  const weights = weightsOf(assessment, categories);
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
 * the weights, are those of the report; a category whose findings all do not count is assessed if enough of it was tested. Pure.
 */
export function rescore(
  report: Pick<Report, "findings" | "categories" | "coverage" | "scoring">,
  isCounted: (finding: Finding) => boolean,
): Pick<Verdict, "score" | "grade" | "scoring"> {
  const findings = report.findings.filter(isCounted);
  const deductions = deductionsFor(findings);
  const { pairs } = report.coverage;
  const hasFindings = (category: Category) =>
    findings.some((finding) => categoriesOf(finding).includes(category));
  const isAssessed = (category: Category) =>
    hasFindings(category) || pairs === undefined || decidedShare(pairs[category]) >= ASSESSED_FROM;
  const weights = Object.fromEntries(
    Object.entries(report.scoring.weights).filter(([category]) => isAssessed(category as Category)),
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

const scoreUnder = (limits: readonly Limit[], weightedMean: number): number =>
  Math.round(limits.at(-1)?.points ?? weightedMean);

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

const weightOf = (category: Category, context: ScanContext | undefined): number =>
  WEIGHTS[category] * ((context && CONTEXT_MULTIPLIERS[context][category]) ?? 1);

/** The weight of a category is scaled by its decided share; one with findings counts at least as an assessed one. */
function weightsOf(
  { pairs, context }: Assessment,
  categories: Record<Category, CategoryResult>,
): Partial<Record<Category, number>> {
  const assessed = CATEGORY_KEYS.filter((category) => categories[category].assessed !== false);
  return Object.fromEntries(
    assessed.map((category) => [
      category,
      weightOf(category, context) * Math.max(ASSESSED_FROM, decidedShare(pairs[category])),
    ]),
  );
}

function coverageOf(
  { pairs, operations, context }: Assessment,
  categories: Record<Category, CategoryResult>,
): Coverage {
  const assessed = CATEGORY_KEYS.filter((category) => categories[category].assessed !== false).length;
  const applicable = CATEGORY_KEYS.filter((category) => (pairs[category]?.applicable ?? 0) > 0);
  const weightWhere = (part: (category: Category) => number): number =>
    applicable.reduce((sum, category) => sum + weightOf(category, context) * part(category), 0);
  return {
    categories: share(assessed, CATEGORY_KEYS.length),
    operations: share(operations.decided, operations.known),
    overall: share(
      weightWhere((category) => decidedShare(pairs[category])),
      weightWhere(() => 1),
    ),
    // Of nothing that may be called it cannot be said that it refused.
    ...(operations.callable > 0 && { reached: share(operations.reached, operations.callable) }),
    pairs: Object.fromEntries(applicable.map((category) => [category, pairs[category]!])),
  };
}

/** With four places; rounded down, so that a share is never better than it was. */
const share = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(1, Math.floor((part / whole) * 10_000 + 1e-6) / 10_000);

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
