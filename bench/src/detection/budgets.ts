import { DEFAULT_LIMITS } from "@glovebox/contract";
import { markdownTable } from "../markdown-table.ts";
import { INTERFERENCES } from "./interferences.ts";
import type { Row } from "./row.ts";
import { orderOf, startTarget } from "./target.ts";
import { measuredScan, type Trial } from "./trial.ts";

/** Requests that a scan may send; the last is enough for all that it plans. */
const BUDGETS = [250, 500, 1_000, DEFAULT_LIMITS.maxRequests] as const;
/** Of each part of the labelled API. */
const OPERATIONS = 20;
const PARTS = 2;
const DEADLINE_SECONDS = 120;
/** Least share of what the whole scan finds that is found with these requests. */
const LEAST: Readonly<Record<number, number>> = { 500: 0.55, 1_000: 0.8 };

/** What scans of one part with each budget found. */
export interface BudgetTrial {
  readonly part: readonly Row[];
  readonly scans: readonly Trial[];
}

/** Scans parts of the labelled API, of about twenty operations each, once with each budget. */
export async function runBudgetTrials(rows: readonly Row[]): Promise<readonly BudgetTrial[]> {
  const trials: BudgetTrial[] = [];
  for (const part of partsOf(rows).slice(0, PARTS)) {
    const scans: Trial[] = [];
    for (const maxRequests of BUDGETS) scans.push(await scanOf(part, maxRequests));
    trials.push({ part, scans });
  }
  return trials;
}

async function scanOf(part: readonly Row[], maxRequests: number): Promise<Trial> {
  await using target = await startTarget(part, "weak", { interference: INTERFERENCES["none"]! });
  const order = orderOf(target, { maxRequests, deadlineSeconds: DEADLINE_SECONDS });
  const name = `${maxRequests} requests`;
  const labels = { name, side: "weak", rows: part, visible: part, mustBeLow: false } as const;
  return (await measuredScan(order, labels)).trial;
}

/** Rows in groups of about twenty operations, as different ones as possible in each. */
function partsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const described = rows.filter(({ document }) => document !== undefined);
  const operations = described.reduce((sum, row) => sum + operationsOf(row), 0);
  const count = Math.max(1, Math.round(operations / OPERATIONS));
  return Array.from({ length: count }, (_, part) => described.filter((_, index) => index % count === part));
}

const operationsOf = ({ document = {} }: Row): number =>
  Object.values(document).reduce<number>(
    (sum, item) =>
      sum + Object.keys(item).filter((key) => /^(get|post|put|patch|delete|options|head)$/.test(key)).length,
    0,
  );

export const budgetTable = (trials: readonly BudgetTrial[]): string =>
  markdownTable(
    ["Part", "Weaknesses", ...BUDGETS.map((budget) => `Found with ${budget}`), "Requests of the last"],
    trials.map(({ part, scans }, index) => [
      String(index + 1),
      String(part.length),
      ...scans.map(({ found }) => String(found.length)),
      String(scans.at(-1)!.requests),
    ]),
  );

/** Budgets with which too little was found, of all parts together. */
export function lateIn(trials: readonly BudgetTrial[]): string[] {
  const foundWith = (index: number): number =>
    trials.reduce((sum, { scans }) => sum + scans.at(index)!.found.length, 0);
  const whole = foundWith(-1);
  return BUDGETS.flatMap((budget, index) => {
    const share = foundWith(index) / whole;
    const least = LEAST[budget] ?? 0;
    return share >= least
      ? []
      : [`late: ${share.toFixed(2)} of ${whole} weaknesses were found with ${budget} requests, not ${least}`];
  });
}
