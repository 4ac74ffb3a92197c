import {
  CATEGORY_KEYS,
  type Category,
  type Coverage,
  type DocumentGap,
  type OperationCounts,
  type PairCounts,
  type PairsByCategory,
  type ScanContext,
} from "@glovebox/contract";
import { weightOf } from "./weights.ts";

/** What a scan tested, and what it learned about the parts that it could not test. */
export interface CoverageFacts {
  readonly pairs: PairsByCategory;
  readonly operations: OperationCounts;
  readonly documentGap?: DocumentGap | undefined;
  readonly refusesNobody?: boolean | undefined;
  readonly context?: ScanContext | undefined;
}

/** With a gap of the document, no more than this is covered. */
export const COVERED_DESPITE_GAP = 0.5;

/** The decided share of a category's pairs; 0 where it does not apply. Older reports have counts alone. */
export const decidedShare = (pairs: PairCounts | undefined): number =>
  pairs === undefined || pairs.applicable === 0 ? 0 : (pairs.share ?? pairs.decided / pairs.applicable);

/** What was tested, as shares; `assessed` is the number of categories that were. Pure. */
export function coverageOf(
  { pairs, operations, context, documentGap, refusesNobody }: CoverageFacts,
  assessed: number,
): Coverage {
  const applicable = CATEGORY_KEYS.filter((category) => (pairs[category]?.applicable ?? 0) > 0);
  const weightWhere = (part: (category: Category) => number): number =>
    applicable.reduce((sum, category) => sum + weightOf(category, context) * part(category), 0);
  const overall = share(
    weightWhere((category) => decidedShare(pairs[category])),
    weightWhere(() => 1),
  );
  return {
    categories: share(assessed, CATEGORY_KEYS.length),
    operations: share(operations.decided, operations.known),
    overall: documentGap ? Math.min(overall, COVERED_DESPITE_GAP) : overall,
    ...(documentGap && { documentGap }),
    ...(refusesNobody && { refusesNobody }),
    // Of nothing that may be called it cannot be said that it refused.
    ...(operations.callable > 0 && { reached: share(operations.reached, operations.callable) }),
    pairs: Object.fromEntries(
      applicable.map((category) => [category, { ...pairs[category]!, share: decidedShare(pairs[category]) }]),
    ),
  };
}

/** With four decimals; rounded down, so that a share is never better than it was. */
const share = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(1, Math.floor((part / whole) * 10_000 + 1e-6) / 10_000);
