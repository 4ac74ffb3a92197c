import { CATEGORIES, CATEGORY_KEYS, type Category } from "@glovebox/contract";
import { CHECKS } from "../../../scanner-job/src/checks/index.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Trial } from "./trial.ts";
import type { Row } from "./row.ts";

const CATEGORY_OF: ReadonlyMap<string, Category> = new Map(CHECKS.map(({ id, category }) => [id, category]));

interface Tally {
  found: number;
  expected: number;
  falsePositives: number;
}

/** One line for each kind of interference, with both sides of the API. */
export const trialTable = (trials: readonly Trial[]): string =>
  markdownTable(
    ["In front", "Side", "Found", "Missed", "False positives", "Grade, coverage", "Requests", "Time"],
    trials.map(({ interference, side, found, missed, falsePositives, outcome, requests, seconds }) => [
      interference,
      side,
      side === "weak" ? String(found.length) : "",
      side === "weak" ? String(missed.length) : "",
      String(falsePositives.length),
      outcome,
      String(requests),
      `${seconds.toFixed(1)} s`,
    ]),
  );

/** Precision and recall by `key`, over all trials. */
function tableBy(heading: string, trials: readonly Trial[], key: (check: string) => string): string {
  const tallies = new Map<string, Tally>();
  const count = (check: string, what: keyof Tally): void => {
    const tally = tallies.get(key(check)) ?? { found: 0, expected: 0, falsePositives: 0 };
    tallies.set(key(check), { ...tally, [what]: tally[what] + 1 });
  };
  const ofRow = ({ checks }: Row): string => checks[0]!;
  for (const { found, missed, falsePositives } of trials) {
    for (const row of [...found, ...missed]) count(ofRow(row), "expected");
    for (const row of found) count(ofRow(row), "found");
    for (const falsePositive of falsePositives) count(falsePositive.check, "falsePositives");
  }
  const lines = [...tallies]
    .toSorted(([a], [b]) => order(a) - order(b))
    .map(([name, tally]) => [name, ...cells(tally)]);
  return markdownTable([heading, "Expected", "Found", "Recall", "False positives", "Precision"], lines);
}

export const checkTable = (trials: readonly Trial[]): string => tableBy("Check", trials, (check) => check);
export const categoryTable = (trials: readonly Trial[]): string =>
  tableBy("Category", trials, (check) => titleOf(CATEGORY_OF.get(check)));

const titleOf = (category: Category | undefined): string =>
  category ? CATEGORIES[category].title : "no longer a check";

const ORDER = [...CATEGORY_KEYS.map(titleOf), ...CHECKS.map(({ id }) => id)];
const order = (name: string): number => ORDER.indexOf(name);

function cells({ found, expected, falsePositives }: Tally): string[] {
  const share = (part: number, whole: number): string => (whole === 0 ? "" : (part / whole).toFixed(2));
  return [
    String(expected),
    String(found),
    share(found, expected),
    String(falsePositives),
    share(found, found + falsePositives),
  ];
}
