import {
  type Category,
  type Confidence,
  type Finding,
  type Instance,
  type Severity,
  type Scoring,
} from "@glovebox/contract";
import { categoriesOf, compareGravity, instancesOf, type Gravity } from "./findings.ts";

/** Points that a finding takes from its category (docs/decisions.md, "Score and grade"). */
export const PENALTIES: Record<Severity, number> = { critical: 60, high: 30, medium: 12, low: 4, info: 1 };
export const CONFIDENCE_FACTORS: Record<Confidence, number> = { confirmed: 1, firm: 0.8, tentative: 0.4 };
/** What the first, the second and each later location of one finding counts. */
export const LOCATION_FACTORS = [1, 0.3, 0.1] as const;

/** What findings that were only read in the OpenAPI document take at most, all together. */
export const DOCUMENT_POINTS = 4;

export type Deduction = Scoring["deductions"][number];

/** What each finding takes from each category that it affects. Pure. */
export function deductionsFor(findings: readonly Finding[]): Deduction[] {
  const counted = findings.flatMap((finding) =>
    categoriesOf(finding).map((category) => {
      const worth = worthIn(category, finding);
      return {
        category,
        finding: finding.id,
        ...worth,
        points: pointsOf(worth.places),
        isRead: isReadInDocument(finding),
      };
    }),
  );
  const read = counted.filter(({ isRead }) => isRead).reduce((sum, { points }) => sum + points, 0);
  const share = Math.min(1, DOCUMENT_POINTS / read);
  return counted.map(({ places, points, isRead, ...deduction }) => ({
    ...deduction,
    points: Math.max(1, points * (isRead ? share : 1)), // so that no category with findings keeps its 100
    ...(places.length > 1 && { places: places.length }),
  }));
}

/** All that a cause leads to counts in its own category, and in each other one what belongs there. */
function worthIn(category: Category, finding: Finding): Gravity & { readonly places: number[] } {
  const all = instancesOf(finding);
  const own = category === finding.category ? all : all.filter((each) => each.category === category);
  const { severity, confidence } =
    category === finding.category ? finding : (own.toSorted(compareGravity)[0] ?? finding);
  return { severity, confidence, places: pointsByLocation(own) };
}

const pointsOf = (worth: readonly number[]): number =>
  worth.reduce((sum, each, index) => sum + each * locationFactor(index), 0);

const isReadInDocument = (finding: Finding): boolean =>
  instancesOf(finding).every(({ evidence }) => evidence.pointer !== undefined);

const penaltyOf = ({ severity, confidence }: Gravity): number =>
  PENALTIES[severity] * CONFIDENCE_FACTORS[confidence];

/** What each location would take alone, the most first. What several checks saw at one location counts once. */
function pointsByLocation(all: readonly Instance[]): number[] {
  const byLocation = Map.groupBy(all, ({ location }) => JSON.stringify(location));
  return [...byLocation.values()]
    .map((instances) => Math.max(...instances.map(penaltyOf)))
    .toSorted((a, b) => b - a);
}

const locationFactor = (index: number): number =>
  LOCATION_FACTORS[Math.min(index, LOCATION_FACTORS.length - 1)]!;
