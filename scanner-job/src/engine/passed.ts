import { locationName } from "@glovebox/domain";
import { farthest } from "./reach.ts";
import type { Reaches } from "./reaches.ts";
import type { Result } from "./result.ts";

/** Everything that was examined, each once and in order. */
export const locationsOf = (results: readonly Result[]): string[] =>
  [...new Set(results.map(({ subject }) => locationName(subject.location)))].toSorted();

/**
 * Where one check passed, as ranges of indices into the report's `places`: each of its examinations there
 * passed, and none was inconclusive. Pure.
 */
export function passedAt(
  results: readonly Result[],
  { locations, reaches }: { locations: readonly string[]; reaches: Reaches },
): string {
  const byLocation = Map.groupBy(results.filter(isApplicable), ({ subject }) =>
    locationName(subject.location),
  );
  const passed = locations.flatMap((location, index) => {
    const own = byLocation.get(location) ?? [];
    return own.length > 0 && own.every((result) => isDecidedPass(result, reaches)) ? [index] : [];
  });
  return ranges(passed);
}

const isApplicable = ({ verdict }: Result): boolean =>
  verdict.outcome !== "inconclusive" || verdict.applies !== false;

/** A refusal is a pass for checks of access control; an injection test must reach the handler. */
function isDecidedPass({ check, subject, verdict, reach: own }: Result, reaches: Reaches): boolean {
  if (verdict.outcome !== "pass") return false;
  if (!subject.operation || check.category === "encryption") return true;
  // A check that only observes depends on the responses to requests of other checks.
  const reach = own === "untried" ? reaches.get(subject.operation) : own;
  if (reach === "reached") return true;
  return reach === "refused" && !NEED_THE_HANDLER.has(check.category);
}

/** The farthest that any request to each operation got. */
export const reachesIn = (results: readonly Result[]): Reaches =>
  new Map(
    [...Map.groupBy(results, ({ subject }) => subject.operation)].flatMap(([operation, own]) =>
      operation ? [[operation, farthest(own.map(({ reach }) => reach))]] : [],
    ),
  );

const NEED_THE_HANDLER: ReadonlySet<string> = new Set(["inputValidation", "ssrf", "llmSecurity"]);

/** `0-4 7` for 0, 1, 2, 3, 4 and 7. */
function ranges(indices: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const index of indices) {
    const last = spans.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else spans.push([index, index]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(" ");
}
