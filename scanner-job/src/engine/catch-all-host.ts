import { interrupted, type Check } from "./check.ts";
import type { Result } from "./result.ts";

/** Numbers of checks, and of products among them, from which on the findings are implausible for one host. */
const [MAX_ROWS, MAX_PRODUCTS] = [8, 5];

/**
 * A host that appears to run that many products returns a success for every path, as honeypots do: these findings are not
 * believed. Pure.
 */
export function believable(results: readonly Result[]): readonly Result[] {
  const rows = results.flatMap(({ check, finding }) => (finding && check.kind === "exposure" ? [check] : []));
  const found = new Set<Check>(rows);
  const products = new Set(rows.flatMap(({ product }) => product ?? []));
  if (found.size < MAX_ROWS || products.size < MAX_PRODUCTS) return results;
  return results.map((result) => (found.has(result.check) ? unbelieved(result) : result));
}

const unbelieved = ({ finding, ...result }: Result): Result =>
  finding ? { ...result, verdict: interrupted("implausible") } : result;
