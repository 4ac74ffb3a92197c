import type { CheckSummary } from "@glovebox/contract";
import { markdownTable } from "../markdown-table.ts";

/** Subjects of one check that were left undecided for one reason. */
export interface UndecidedSubjects {
  readonly check: string;
  readonly reason: string;
  readonly count: number;
}

/** Checks that are named beside a reason. */
const MAX_CHECKS = 4;

export const undecidedIn = (checks: readonly CheckSummary[]): UndecidedSubjects[] =>
  checks.flatMap(({ check, undecided = [] }) => undecided.map((each) => ({ check, ...each })));

/** Why subjects were left undecided, the most frequent reason first, and by which checks. */
export const undecidedTable = (undecided: readonly UndecidedSubjects[]): string =>
  markdownTable(
    ["Undecided because", "Subjects", "Checks"],
    sumsBy(undecided, ({ reason }) => reason).map(({ key, sum, own }) => [key, String(sum), checksIn(own)]),
  );

function checksIn(undecided: readonly UndecidedSubjects[]): string {
  const sums = sumsBy(undecided, ({ check }) => check);
  const named = sums.slice(0, MAX_CHECKS).map(({ key, sum }) => `${key} ${sum}`);
  const others = sums.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ");
}

interface Sum {
  readonly key: string;
  readonly sum: number;
  readonly own: readonly UndecidedSubjects[];
}

const sumsBy = (
  undecided: readonly UndecidedSubjects[],
  keyOf: (one: UndecidedSubjects) => string,
): readonly Sum[] =>
  [...Map.groupBy(undecided, keyOf)]
    .map(([key, own]) => ({ key, own, sum: own.reduce((sum, { count }) => sum + count, 0) }))
    .toSorted((a, b) => b.sum - a.sum || a.key.localeCompare(b.key));
