import type { PairCounts } from "@glovebox/contract";

/** With a gap of the document, no more than this is covered. */
export const COVERED_DESPITE_GAP = 0.5;

/** The decided share of a category's pairs; 0 where it does not apply. Older reports have counts alone. */
export const decidedShare = (pairs: PairCounts | undefined): number =>
  pairs === undefined || pairs.applicable === 0 ? 0 : (pairs.share ?? pairs.decided / pairs.applicable);
