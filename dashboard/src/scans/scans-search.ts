import type { Grade, ScanState } from "@glovebox/contract";
import { GRADE_LABELS, SCAN_LABELS, keysOf } from "../parts/words.ts";
import { oneOf, page, searchOf, text } from "../url/search-state.ts";

export const SCAN_SORTS = {
  newest: "Newest first",
  oldest: "Oldest first",
  worst: "Lowest score first",
  best: "Highest score first",
} as const;

/** The filters of the list of scans. */
export const scansSearch = searchOf({
  q: text,
  status: oneOf<ScanState>(keysOf(SCAN_LABELS)),
  grade: oneOf<Grade>(keysOf(GRADE_LABELS)),
  sort: oneOf(keysOf(SCAN_SORTS)),
  page: page,
});

/** The two scans that are compared. */
export const compareSearch = searchOf({ older: text, newer: text });
