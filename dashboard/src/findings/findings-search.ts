import type { Category, Severity } from "@glovebox/contract";
import type { FindingStatus } from "@glovebox/domain";
import { CATEGORY_KEYS } from "@glovebox/contract/categories";
import { SEVERITY_LABELS, STATUS_LABELS, keysOf } from "../parts/words.ts";
import { id, oneOf, page, searchOf, someOf, text } from "../url/search-state.ts";

export const FINDING_SORTS = {
  severity: "Worst first",
  newest: "Newest first",
  oldest: "Oldest first",
} as const;

/** The filters of the list of findings. */
export const findingsSearch = searchOf({
  q: text,
  status: someOf<FindingStatus>(keysOf(STATUS_LABELS)),
  severity: someOf<Severity>(keysOf(SEVERITY_LABELS)),
  category: oneOf<Category>(CATEGORY_KEYS),
  target: id,
  sort: oneOf(keysOf(FINDING_SORTS)),
  page: page,
});
