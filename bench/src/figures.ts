import { availableParallelism } from "node:os";
import { markdownTable } from "./markdown-table.ts";

/** One row of the table: a measurement and its baseline. */
export interface Figure {
  readonly name: string;
  readonly product: string;
  readonly baseline: string;
  /** Product over baseline. */
  readonly ratio: Spread;
  readonly goal?: Goal | undefined;
}

/** Median, minimum and maximum of several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** A bound of the ratio or of another value. */
export interface Goal {
  readonly text: string;
  readonly met: boolean;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) throw new Error("A figure needs at least one round");
  return { median: median(sorted), min: sorted[0]!, max: sorted.at(-1)! };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const atLeast = (ratio: Spread, bound: number): Goal => ({
  text: `at least ${bound}`,
  met: ratio.median >= bound,
});
export const atMost = (ratio: Spread, bound: number): Goal => ({
  text: `at most ${bound}`,
  met: ratio.median <= bound,
});

const HEADINGS = ["Figure", "Product", "Baseline", "Ratio", "Least to greatest", "Goal", "Met"];

/** Prints the table. With `check`, the process exits with 1 if a goal is missed. */
export function printFigures(
  figures: readonly Figure[],
  { check, settings }: { readonly check?: boolean | undefined; readonly settings?: string | undefined },
): void {
  const machine = `${availableParallelism()} processors, Node ${process.versions.node}`;
  console.log(`One run on ${machine}${settings ? `; cluster: ${settings}` : ""}\n`);
  console.log(renderTable(figures));
  if (check && figures.some(({ goal }) => goal?.met === false)) process.exitCode = 1;
}

/** @internal */
export const renderTable = (figures: readonly Figure[]): string =>
  markdownTable(HEADINGS, figures.map(cells));

function cells({ name, product, baseline, ratio, goal }: Figure): string[] {
  const { median, min, max } = ratio;
  const range = min === max ? "" : `${min.toFixed(2)} to ${max.toFixed(2)}`;
  return [name, product, baseline, median.toFixed(2), range, goal?.text ?? "", verdict(goal)];
}

const verdict = (goal: Goal | undefined): string => (goal ? (goal.met ? "yes" : "NO") : "");
