import {
  SEVERITIES,
  FINDING_SORTS,
  type Category,
  type Severity,
  type FindingSort,
} from "@glovebox/contract";
import type { FindingStatus } from "@glovebox/domain";
import { CATEGORY_KEYS } from "@glovebox/contract/categories";
import { STATUS_LABELS, keysOf } from "../parts/words.ts";
import { id, oneOf, page, searchOf, someOf, text } from "../url/search-state.ts";

export const FINDING_SORT_LABELS: Record<FindingSort, string> = {
  severity: "Worst first",
  newest: "Newest first",
  oldest: "Oldest first",
};

/** The filters of the list of findings. */
export const findingsSearch = searchOf({
  q: text,
  status: someOf<FindingStatus>(keysOf(STATUS_LABELS)),
  severity: someOf<Severity>(SEVERITIES),
  category: oneOf<Category>(CATEGORY_KEYS),
  target: id,
  sort: oneOf<FindingSort>(FINDING_SORTS),
  page: page,
});
