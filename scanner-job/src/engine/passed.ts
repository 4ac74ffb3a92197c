import { placeName } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { farthest, type Reach } from "./reach.ts";
import type { Result } from "./runner.ts";

/** Everything that was examined, each once and in order. */
export const placesOf = (results: readonly Result[]): string[] =>
  [...new Set(results.map(({ subject }) => placeName(subject.location)))].toSorted();

/**
 * Where one check found nothing wrong, as ranges of indices into `places`: it passed there whenever it
 * looked, and nothing kept it from a verdict. Pure.
 */
export function passedAt(
  results: readonly Result[],
  { places, reaches }: { places: readonly string[]; reaches: Reaches },
): string {
  const byPlace = Map.groupBy(results.filter(isApplicable), ({ subject }) => placeName(subject.location));
  const passed = places.flatMap((place, index) => {
    const own = byPlace.get(place) ?? [];
    return own.length > 0 && own.every((result) => isDecidedPass(result, reaches)) ? [index] : [];
  });
  return ranges(passed);
}

const isApplicable = ({ verdict }: Result): boolean =>
  verdict.outcome !== "inconclusive" || verdict.applies !== false;

/** A check passes on a refusal where access is what it tests; an injection needs the handler. */
function isDecidedPass({ check, subject, verdict, reach: own }: Result, reaches: Reaches): boolean {
  if (verdict.outcome !== "pass") return false;
  if (!subject.operation || check.category === "encryption") return true;
  // A check that sends nothing itself looks at what others were answered.
  const reach = own === "untried" ? reaches.get(subject.operation) : own;
  if (reach === "reached") return true;
  return reach === "refused" && !NEED_THE_HANDLER.has(check.category);
}

type Reaches = ReadonlyMap<Operation, Reach>;

/** How far any request to each operation got. */
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
