import { inconclusive } from "./check.ts";
import type { Result } from "./runner.ts";

/** Rows of tables, and products among them, from which on nobody serves all that was found. */
const [MOST_ROWS, MOST_PRODUCTS] = [8, 5];

/**
 * A host at which so much of so many products is found shows whatever it is asked for, as honeypots do: nothing of it is
 * believed. Pure.
 */
export function believable(results: readonly Result[]): readonly Result[] {
  const found = new Set(
    results.flatMap(({ check, finding }) => (finding && check.group !== undefined ? [check] : [])),
  );
  const products = new Set([...found].flatMap(({ product }) => product ?? []));
  if (found.size < MOST_ROWS || products.size < MOST_PRODUCTS) return results;
  return results.map((result) => (found.has(result.check) ? unbelieved(result) : result));
}

const unbelieved = ({ finding, ...result }: Result): Result =>
  finding ? { ...result, verdict: LIE } : result;

const LIE = inconclusive(
  "The host shows files and consoles of many products that nobody runs together: it answers whatever it is asked for.",
);
