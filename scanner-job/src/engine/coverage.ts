import { CATEGORY_KEYS, type Category, type OperationCounts, type PairCounts } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { isDenied } from "../oracles/classify.ts";
import type { TargetProfile } from "./check.ts";
import { farthest, type Reach } from "./reach.ts";
import type { Result } from "./runner.ts";

/** What of a target was tested, as the score takes it. */
export interface Tested {
  readonly pairs: Readonly<Partial<Record<Category, PairCounts>>>;
  readonly operations: OperationCounts;
}

/** A refusal to a caller without credentials is all that these categories ask for. */
const DECIDED_BY_REFUSAL: ReadonlySet<Category> = new Set(["authentication", "bflaAuthorization"]);
/** What is seen of the connection does not depend on how the API answers. */
const OF_THE_CONNECTION: ReadonlySet<Category> = new Set(["encryption"]);

/** To which operations a category applies, whether or not a check got to them. The others: where a check applies. */
const APPLIES: Partial<Record<Category, (operation: Operation, reach: Reach) => boolean>> = {
  authentication: ({ facts }, reach) => facts.security === "required" || reach === "refused",
  bolaAuthorization: ({ idParameter }) => idParameter !== undefined,
  bflaAuthorization: ({ facts, isRead }, reach) =>
    facts.security === "required" || reach === "refused" || !isRead,
  propertyAuthorization: ({ facts, isRead }) => isRead || facts.body !== undefined,
  inputValidation: ({ facts }) =>
    facts.body !== undefined ||
    facts.parameters.some(({ in: place }) => place === "query" || place === "path"),
  dataExposure: ({ isRead }) => isRead,
};

/** Counts what was decided of each pair of an operation, or the host, and a category. Pure. */
export function testedIn(
  profile: Pick<TargetProfile, "operations" | "entry" | "calibration">,
  results: readonly Result[],
  reads: ReadonlyMap<Operation, Reach>,
): Tested {
  const reaches = reachesOf(profile.operations, results, reads);
  const pairs = CATEGORY_KEYS.flatMap((category) => {
    const own = pairsOf(category, { profile, results, reaches });
    return own.length === 0 ? [] : [[category, countsOf(own)] as const];
  });
  return {
    pairs: Object.fromEntries(pairs),
    operations: operationCounts(profile.operations, results, reaches),
  };
}

type Reaches = ReadonlyMap<Operation, Reach>;
type State = "decided" | "perimeter" | "open";

function reachesOf(operations: readonly Operation[], results: readonly Result[], reads: Reaches): Reaches {
  const byOperation = Map.groupBy(results, ({ subject }) => subject.operation);
  return new Map(
    operations.map((operation) => {
      const own = (byOperation.get(operation) ?? []).map(({ reach }) => reach);
      return [operation, farthest([reads.get(operation) ?? "untried", ...own])];
    }),
  );
}

function pairsOf(
  category: Category,
  {
    profile,
    results,
    reaches,
  }: {
    profile: Pick<TargetProfile, "operations" | "entry" | "calibration">;
    results: readonly Result[];
    reaches: Reaches;
  },
): State[] {
  const own = results.filter(({ check, verdict }) => check.category === category && applies(verdict));
  const byOperation = Map.groupBy(own, ({ subject }) => subject.operation);
  const ofOperations = profile.operations.flatMap((operation): State[] => {
    const reach = reaches.get(operation)!;
    const verdicts = byOperation.get(operation) ?? [];
    if (verdicts.length === 0 && !APPLIES[category]?.(operation, reach)) return [];
    return [stateOf(category, reach, verdicts)];
  });
  const ofHost = byOperation.get(undefined);
  return ofHost ? [...ofOperations, stateOf(category, hostReach(profile), ofHost)] : ofOperations;
}

const applies = (verdict: Result["verdict"]): boolean =>
  verdict.outcome !== "inconclusive" || verdict.applies !== false;

function stateOf(category: Category, reach: Reach, results: readonly Result[]): State {
  if (results.some(({ finding }) => finding)) return "decided";
  if (reach === "refused" && DECIDED_BY_REFUSAL.has(category)) return "decided";
  const hasPassed = results.some(({ verdict }) => verdict.outcome === "pass");
  if (hasPassed && (reach === "reached" || OF_THE_CONNECTION.has(category))) return "decided";
  return reach === "refused" ? "perimeter" : "open";
}

/** The host is reached where it answers anything but a refusal. */
const hostReach = ({ entry, calibration }: Pick<TargetProfile, "entry" | "calibration">): Reach =>
  calibration.deniesEverything && isDenied(entry) ? "refused" : "reached";

const countsOf = (states: readonly State[]): PairCounts => ({
  applicable: states.length,
  decided: states.filter((state) => state === "decided").length,
  perimeter: states.filter((state) => state === "perimeter").length,
});

function operationCounts(
  operations: readonly Operation[],
  results: readonly Result[],
  reaches: Reaches,
): OperationCounts {
  const found = new Set(results.flatMap(({ subject, finding }) => (finding ? [subject.operation] : [])));
  const reach = (operation: Operation): Reach => reaches.get(operation)!;
  const answered = operations.filter((operation) => reach(operation) === "reached");
  return {
    known: operations.length,
    decided: operations.filter(
      (operation) => ["reached", "refused"].includes(reach(operation)) || found.has(operation),
    ).length,
    callable: operations.filter((operation) => operation.isRead || reach(operation) === "reached").length,
    reached: answered.length,
  };
}
