import { instancesOf, type Finding, type Severity } from "@glovebox/contract";
import type { Row, Side } from "./row.ts";

/** One place at which a check says that something is wrong. */
export interface Sighting {
  readonly check: string;
  /** `GET /shelves/{}`, and what was examined to see it there. */
  readonly places: readonly string[];
  readonly severity: Severity;
}

/** What one scan of a labelled target comes to. */
export interface Measure {
  readonly found: readonly Row[];
  /** What is said of medium severity or above and is not so, and what the safe side of a host of its own still has. */
  readonly alarms: readonly Sighting[];
}

const GRAVE: ReadonlySet<Severity> = new Set(["critical", "high", "medium"]);
/** True of every target here, on both sides, but for those that are about it. */
const TRUE_OF_ALL: ReadonlySet<string> = new Set([
  "rate-limiting/bounded-burst",
  "rate-limiting/rate-limit-headers",
]);

export const sightingsOf = (findings: readonly Finding[]): Sighting[] =>
  findings.flatMap(instancesOf).map(({ check, severity, location, subject = location }) => ({
    check,
    severity,
    places: [...new Set([location, subject].map(({ method, path }) => placeOf(`${method} ${path}`)))],
  }));

/** Whatever its parameters are called. */
const placeOf = (at: string): string => at.replaceAll(/\{[^}]*\}/g, "{}");

/** Which of the rows were found where they are, and what was said beside them. */
export function measure(rows: readonly Row[], side: Side, sightings: readonly Sighting[]): Measure {
  const expected = side === "weak" ? rows : [];
  const isFound = (row: Row): boolean => sightings.some((sighting) => proves(row, sighting));
  const isTrue = (sighting: Sighting): boolean =>
    (TRUE_OF_ALL.has(sighting.check) && !rows.some(({ checks }) => checks.includes(sighting.check))) ||
    expected.some((row) => proves(row, sighting) || goesWith(row, sighting));
  return {
    found: expected.filter(isFound),
    alarms: sightings.filter(
      (sighting) =>
        (GRAVE.has(sighting.severity) || rows.some((row) => row.host && proves(row, sighting))) &&
        !isTrue(sighting),
    ),
  };
}

const proves = ({ checks, at }: Row, { check, places }: Sighting): boolean =>
  checks.includes(check) && places.includes(placeOf(at));

function goesWith({ alsoTrue, at, weak }: Row, { check, places }: Sighting): boolean {
  const own = [at, "GET /", ...Object.keys(weak)].map(placeOf);
  return alsoTrue?.[check] !== undefined && places.some((place) => own.includes(place));
}
