import { SCAN_SORTS, type Grade, type ScanState, type ScanSort } from "@glovebox/contract";
import { GRADE_LABELS, SCAN_LABELS, keysOf } from "../parts/words.ts";
import { oneOf, page, searchOf, text } from "../url/search-state.ts";

export const SCAN_SORT_LABELS: Record<ScanSort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  worst: "Lowest score first",
  best: "Highest score first",
};

/** The filters of the list of scans. */
export const scansSearch = searchOf({
  q: text,
  status: oneOf<ScanState>(keysOf(SCAN_LABELS)),
  grade: oneOf<Grade>(keysOf(GRADE_LABELS)),
  sort: oneOf<ScanSort>(SCAN_SORTS),
  page: page,
});

/** The two scans that are compared. */
export const compareSearch = searchOf({ older: text, newer: text });
