import { CATEGORY_KEYS, type Category } from "./categories.ts";
import { compareFindings } from "./finding-order.ts";
import type { Finding } from "./finding.ts";
import type { Confidence, Severity } from "./severity.ts";
import type { CategoryResult, Coverage, Grade, Scoring } from "./report.ts";
import type { ScanContext } from "./context.ts";

/** Points that a finding takes from its category (docs/decisions.md, "Score and grade"). */
export const PENALTIES: Record<Severity, number> = { critical: 60, high: 30, medium: 12, low: 4, info: 1 };
export const CONFIDENCE_FACTORS: Record<Confidence, number> = { confirmed: 1, firm: 0.8, tentative: 0.4 };
/** What the first, the second and each later instance of one check counts. */
export const INSTANCE_FACTORS = [1, 0.3, 0.1] as const;

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

/** What a context multiplies these weights by; 1 where it is silent. */
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

/** So many confirmed findings of one severity hold the overall score down, whatever the mean says. Lowest first. */
export const CAPS: readonly { severity: Severity; count: number; points: number; reason: string }[] = [
  { severity: "critical", count: 1, points: 49, reason: "A confirmed critical finding" },
  { severity: "high", count: 3, points: 64, reason: "Three confirmed high findings" },
  { severity: "high", count: 1, points: 79, reason: "A confirmed high finding" },
];

export const GRADE_FLOORS: readonly (readonly [Grade, number])[] = [
  ["A", 90],
  ["B", 80],
  ["C", 70],
  ["D", 60],
  ["F", 0],
];
/** Below this share of categories or operations assessed there is no A. */
export const COVERAGE_FOR_AN_A = 0.4;

const TOO_LITTLE_ASSESSED = `less than ${COVERAGE_FOR_AN_A * 100} % of the API could be assessed`;

export interface Assessment {
  readonly findings: readonly Finding[];
  /** Categories that could not be assessed, each with its reason. */
  readonly unassessed: ReadonlyMap<Category, string>;
  readonly coverage: Coverage;
  readonly context?: ScanContext | undefined;
}

export interface Verdict {
  readonly score: number;
  readonly grade: Grade;
  readonly categories: Record<Category, CategoryResult>;
  readonly scoring: Scoring;
}

/** Score, grade and category results of a scan, and every deduction that led to them. Pure. */
export function assess(assessment: Assessment): Verdict {
  const { coverage, context } = assessment;
  // The worst instance of a kind counts in full, in whatever order the checks happened to end.
  const findings = assessment.findings.toSorted(compareFindings);
  const deductions = deduct(findings);
  const categories = Object.fromEntries(
    CATEGORY_KEYS.map((category) => [
      category,
      categoryResult(category, { ...assessment, findings }, deductions),
    ]),
  ) as Record<Category, CategoryResult>;

  const weights = Object.fromEntries(
    CATEGORY_KEYS.filter((category) => categories[category].assessed !== false).map((category) => [
      category,
      weightOf(category, context),
    ]),
  );
  const weightedMean = meanOf(categories, weights);
  const cap = capFor(findings);
  const score = Math.round(Math.min(weightedMean, cap?.points ?? 100));
  const grade = gradeOf(score, coverage);
  const gradeCap = grade === gradeAlone(score) ? {} : { gradeCap: { grade, reason: TOO_LITTLE_ASSESSED } };
  return { score, grade, categories, scoring: { weights, weightedMean, deductions, cap, ...gradeCap } };
}

type Deduction = Scoring["deductions"][number];

function deduct(findings: readonly Finding[]): Deduction[] {
  const seen = new Map<string, number>();
  return findings.map(({ category, id, check, severity, confidence }) => {
    const kind = `${category} ${check}`;
    const instance = seen.get(kind) ?? 0;
    seen.set(kind, instance + 1);
    const factor = INSTANCE_FACTORS[Math.min(instance, INSTANCE_FACTORS.length - 1)]!;
    const points = PENALTIES[severity] * CONFIDENCE_FACTORS[confidence] * factor;
    // The first instance of a kind always costs a point, so that no category with findings keeps its 100.
    return {
      category,
      finding: id,
      severity,
      confidence,
      points: instance === 0 ? Math.max(1, points) : points,
    };
  });
}

function categoryResult(
  category: Category,
  { findings: all, unassessed }: Assessment,
  deductions: readonly Deduction[],
): CategoryResult {
  const unassessedBecause = unassessed.get(category);
  const findings = all
    .filter((finding) => finding.category === category)
    .map(({ category: _, ...finding }) => finding);
  if (findings.length === 0 && unassessedBecause !== undefined) {
    return { score: 100, findings: [], assessed: false, reason: unassessedBecause };
  }
  const lost = deductions
    .filter((deduction) => deduction.category === category)
    .reduce((sum, { points }) => sum + points, 0);
  return { score: Math.max(0, Math.round(100 - lost)), findings };
}

const weightOf = (category: Category, context: ScanContext | undefined): number =>
  WEIGHTS[category] * ((context && CONTEXT_MULTIPLIERS[context][category]) ?? 1);

function meanOf(
  categories: Record<Category, CategoryResult>,
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

function capFor(findings: readonly Finding[]): Scoring["cap"] {
  const confirmed = (severity: Severity) =>
    findings.filter((finding) => finding.severity === severity && finding.confidence === "confirmed").length;
  const cap = CAPS.find(({ severity, count }) => confirmed(severity) >= count);
  return cap ? { points: cap.points, reason: cap.reason } : null;
}

/** The grade of a score; an A needs enough of the API to have been assessed. */
export function gradeOf(score: number, coverage: Coverage): Grade {
  const grade = gradeAlone(score);
  const seenEnough = Math.min(coverage.categories, coverage.operations) >= COVERAGE_FOR_AN_A;
  return grade === "A" && !seenEnough ? "B" : grade;
}

const gradeAlone = (score: number): Grade => GRADE_FLOORS.find(([, floor]) => score >= floor)![0];
