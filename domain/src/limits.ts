import {
  type Coverage,
  type DocumentGap,
  SEVERITIES,
  type Finding,
  type Severity,
  type Scoring,
} from "@glovebox/contract";
import { COVERED_DESPITE_GAP } from "./coverage.ts";
import { instancesOf } from "./findings.ts";

/** Caps of the overall score, by the number of confirmed or firm findings of a severity. Lowest first. */
export const CAPS: readonly { severity: Severity; count: number; points: number; reason: string }[] = [
  { severity: "critical", count: 1, points: 49, reason: "A critical finding" },
  { severity: "high", count: 3, points: 64, reason: "Three high findings" },
  { severity: "high", count: 1, points: 79, reason: "A high finding" },
];

/** The score is at most `base + range × overall coverage`. */
export const COVERAGE_LIMIT = { base: 60, range: 40 } as const;
/** With a smaller share of operations reached, little more than the access control was tested. */
export const PERIMETER = { reached: 0.2, points: 79 } as const;

/** Where nobody is refused, authentication and authorization are missing or unproven: as with three high findings. */
export const OPEN_ACCESS = {
  points: 64,
  reason: "No operation refused a caller without credentials",
} as const;

export type Limit = NonNullable<Scoring["limits"]>[number];

/** The cap by findings, if any. */
export function capOf(findings: readonly Finding[]): Scoring["cap"] {
  const worst = findings.map(worstCertain);
  const counting = (severity: Severity) => worst.filter((each) => each === severity).length;
  const cap = CAPS.find(({ severity, count }) => counting(severity) >= count);
  return cap ? { points: cap.points, reason: cap.reason } : null;
}

/** The worst severity that was not only seen tentatively. */
function worstCertain(finding: Finding): Severity | undefined {
  const certain = instancesOf(finding).filter(({ confidence }) => confidence !== "tentative");
  return SEVERITIES.find((severity) => certain.some((instance) => instance.severity === severity));
}

export const isPerimeterOnly = ({ reached = 1 }: Pick<Coverage, "reached">): boolean =>
  reached < PERIMETER.reached;

/** The limits that lower the weighted mean, in the order of docs/scoring.md, each with the points that it takes. */
export function limitsOf(
  weightedMean: number,
  { cap, coverage }: { cap: Scoring["cap"]; coverage: Coverage },
): Limit[] {
  let left = weightedMean;
  return [
    coverageLimit(coverage),
    perimeterLimit(coverage),
    accessLimit(coverage),
    { by: "findings" as const, ...cap },
  ].flatMap(({ by, points, reason }) => {
    if (points === undefined || reason === undefined || points >= left) return [];
    const deducted = left - points;
    left = points;
    return [{ by, points, deducted, reason }];
  });
}

type Possible = Pick<Limit, "by"> & Partial<Limit>;

/** Rounded down, so that an A needs its share in full. */
function coverageLimit({ overall = 1, documentGap }: Coverage): Possible {
  const { base, range } = COVERAGE_LIMIT;
  // Rounded to a millionth first: 60 + 40 × 0.75 must be 90 despite floating-point errors.
  const points = Math.floor(Number((base + range * overall).toFixed(6)));
  const isHeldDown = documentGap !== undefined && overall === COVERED_DESPITE_GAP;
  const reason = isHeldDown
    ? `${GAPS[documentGap]}: at most ${percent(overall)} counts as tested`
    : `Only ${percent(overall)} of what applies was tested`;
  return { by: "coverage", points, reason };
}

/** Why operations may be unknown, as the start of a sentence. */
export const GAPS: Record<DocumentGap, string> = {
  missing: "Without an OpenAPI document, some operations may be unknown",
  contradicted: "The target lacks operations of its OpenAPI document, or has others",
};

function perimeterLimit(coverage: Coverage): Possible {
  if (!isPerimeterOnly(coverage)) return { by: "perimeter" };
  const reason = `Only ${percent(coverage.reached ?? 0)} of the operations responded with success: what is behind the refusal was not tested`;
  return { by: "perimeter", points: PERIMETER.points, reason };
}

const accessLimit = ({ refusesNobody }: Coverage): Possible =>
  refusesNobody ? { by: "access", ...OPEN_ACCESS } : { by: "access" };

/** Rounded down: what was not tested is not rounded away. */
const percent = (share: number): string => `${Math.floor(share * 100)} %`;
