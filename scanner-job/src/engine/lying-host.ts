import { interrupted } from "./check.ts";
import type { Result } from "./runner.ts";

/** Numbers of checks, and of products among them, from which on the findings are implausible for one host. */
const [MOST_ROWS, MOST_PRODUCTS] = [8, 5];

/**
 * A host that appears to run that many products answers every path with a success, as honeypots do: these findings are not
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
  finding ? { ...result, verdict: interrupted("implausible") } : result;
