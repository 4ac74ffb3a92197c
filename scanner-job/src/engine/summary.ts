import {
  ASSESSED_FROM,
  GAPS,
  OPEN_ACCESS,
  type Verdict as Assessed,
  COVERED_DESPITE_GAP,
  decidedShare,
} from "@glovebox/domain";
import { CATEGORIES, CATEGORY_KEYS, type Category } from "@glovebox/contract";
import type { Exhaustion } from "./left-out.ts";
import type { Tested } from "./coverage.ts";

interface Concluded extends Pick<Assessed, "coverage" | "perimeterOnly"> {
  readonly exhaustion: Exhaustion | undefined;
}

/** What was and was not tested, in one paragraph for a reader who knows no HTTP. Pure. */
export function summaryOf(
  { pairs, operations }: Tested,
  { coverage, perimeterOnly, exhaustion }: Concluded,
): string {
  const applicable = CATEGORY_KEYS.filter((category) => (pairs[category]?.applicable ?? 0) > 0);
  const share = (category: Category): number => decidedShare(pairs[category]);
  const tested = applicable.filter((category) => share(category) >= 0.75);
  const partly = applicable.filter((category) => share(category) >= ASSESSED_FROM && share(category) < 0.75);
  const untested = applicable.filter((category) => share(category) < ASSESSED_FROM);
  const absent = CATEGORY_KEYS.filter((category) => !applicable.includes(category));
  return [
    `This scan tested ${percent(coverage.overall ?? 0)} of what applies to this API, without credentials.`,
    exhaustion ? ENDED_EARLY[exhaustion.of] : "",
    `${count(operations.known, "operation is", "operations are")} known; ${operations.reached} of the ${operations.callable} that a scan may call responded${exhaustion ? " before that" : ""}.`,
    gap(coverage),
    coverage.refusesNobody ? `${OPEN_ACCESS.reason}.` : "",
    sentence("Tested", tested),
    sentence("Tested in part", partly),
    sentence("Not tested", untested),
    perimeterOnly && !exhaustion
      ? "Nearly everything requires credentials: the refusal of anonymous callers was tested, authorization between users was not."
      : refusals(pairs),
    sentence("Not present in this API", absent),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

const ENDED_EARLY = {
  requests: "It ended early because it reached its request limit.",
  time: "It ended early because it reached its time limit.",
} as const;
const gap = ({ documentGap }: Assessed["coverage"]): string =>
  documentGap ? `${GAPS[documentGap]}: at most ${percent(COVERED_DESPITE_GAP)} counts as tested.` : "";

const sentence = (start: string, categories: readonly Category[]): string =>
  categories.length === 0 ? "" : `${start}: ${categories.map(titleOf).join(", ")}.`;

/** As within a sentence; abbreviations and names stay as they are. */
const titleOf = (category: Category): string =>
  CATEGORIES[category].title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

function refusals(pairs: Tested["pairs"]): string {
  const refused = CATEGORY_KEYS.some((category) => (pairs[category]?.perimeter ?? 0) > 0);
  return refused ? "Operations that require credentials were not tested behind the login." : "";
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** Rounded down: what was not tested is not rounded away. */
export const percent = (share: number): string => `${Math.floor(share * 100)} %`;
