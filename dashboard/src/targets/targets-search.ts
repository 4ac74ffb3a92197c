import { TARGET_SORTS, type Grade, type TargetSort } from "@glovebox/contract";
import { GRADE_LABELS, keysOf } from "../parts/words.ts";
import { oneOf, page, searchOf, text } from "../url/search-state.ts";

export const TARGET_SORT_LABELS: Record<TargetSort, string> = {
  recent: "Last changed first",
  worst: "Lowest score first",
  url: "By address",
};

/** The filters of the list of targets. */
export const targetsSearch = searchOf({
  q: text,
  grade: oneOf<Grade>(keysOf(GRADE_LABELS)),
  sort: oneOf<TargetSort>(TARGET_SORTS),
  page,
});
