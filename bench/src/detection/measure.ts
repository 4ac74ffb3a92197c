import { instancesOf } from "@glovebox/domain";
import { type Finding, type Severity } from "@glovebox/contract";
import { isShownAt } from "../../../scanner-job/src/testing/shown-at.ts";
import type { Row, Side } from "./row.ts";

/** One location at which a check says that something is wrong. */
export interface FoundInstance {
  readonly check: string;
  /** `GET /shelves/{}`, and what was examined to see it there. */
  readonly locations: readonly string[];
  readonly severity: Severity;
  /** Its evidence is of another location. */
  readonly misplaced?: true;
}

/** What one scan of a labelled target comes to. */
export interface Measure {
  readonly found: readonly Row[];
  /** What is said of medium severity or above and is not so, and what the safe side of a separate host still has. */
  readonly falsePositives: readonly FoundInstance[];
  /** What is said of a location that its evidence does not show. */
  readonly misplaced: readonly FoundInstance[];
}

const GRAVE: ReadonlySet<Severity> = new Set(["critical", "high", "medium"]);
/** True of every target here, on both sides, but for those that are about it. */
const TRUE_OF_ALL: ReadonlySet<string> = new Set([
  "rate-limiting/bounded-burst",
  "rate-limiting/rate-limit-headers",
]);

export const instancesIn = (findings: readonly Finding[]): FoundInstance[] =>
  findings.flatMap(instancesOf).map((instance) => {
    const { check, severity, location, subject = location } = instance;
    return {
      check,
      severity,
      locations: [...new Set([location, subject].map(({ method, path }) => locationOf(`${method} ${path}`)))],
      ...(!isShownAt(instance) && { misplaced: true as const }),
    };
  });

/** Regardless of the names of its parameters. */
const locationOf = (at: string): string => at.replaceAll(/\{[^}]*\}/g, "{}");

/** Which of the rows were found where they are, and what was said beside them. */
export function measure(rows: readonly Row[], side: Side, instances: readonly FoundInstance[]): Measure {
  const expected = side === "weak" ? rows : [];
  const isFound = (row: Row): boolean => instances.some((instance) => proves(row, instance));
  const isTrue = (instance: FoundInstance): boolean =>
    (TRUE_OF_ALL.has(instance.check) && !rows.some(({ checks }) => checks.includes(instance.check))) ||
    expected.some((row) => proves(row, instance) || goesWith(row, instance));
  return {
    found: expected.filter(isFound),
    falsePositives: instances.filter(
      (instance) =>
        (GRAVE.has(instance.severity) || rows.some((row) => row.host && proves(row, instance))) &&
        !isTrue(instance),
    ),
    misplaced: instances.filter(({ misplaced }) => misplaced),
  };
}

const proves = ({ checks, at }: Row, { check, locations }: FoundInstance): boolean =>
  checks.includes(check) && locations.includes(locationOf(at));

function goesWith({ alsoTrue, at, weak }: Row, { check, locations }: FoundInstance): boolean {
  const own = [at, "GET /", ...Object.keys(weak)].map(locationOf);
  return alsoTrue?.[check] !== undefined && locations.some((location) => own.includes(location));
}
