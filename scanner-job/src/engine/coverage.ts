import { CATEGORY_KEYS, type Category, type OperationCounts, type PairCounts } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { isDenied } from "../oracles/classify.ts";
import type { TargetProfile } from "./check.ts";
import { farthest, isRefusedWholesale, type Reach } from "./reach.ts";
import type { Result } from "./runner.ts";

/** Coverage of a target, as input of the score. */
export interface Tested {
  readonly pairs: Readonly<Partial<Record<Category, PairCounts>>>;
  readonly operations: OperationCounts;
  /** Operations with at least one decided category. */
  readonly decided: ReadonlySet<Operation>;
  /** How far requests to each operation got. */
  readonly reaches: ReadonlyMap<Operation, Reach>;
}

/** For these categories a refusal without credentials is the result that decides. */
const DECIDED_BY_REFUSAL: ReadonlySet<Category> = new Set(["authentication", "bflaAuthorization"]);
/** Tests of the connection do not depend on the status of the response. */
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

type Profile = Pick<TargetProfile, "operations" | "document" | "entry" | "calibration">;
type Reaches = ReadonlyMap<Operation, Reach>;

/** `operation` is undefined for the host. */
interface Pair {
  readonly category: Category;
  readonly operation: Operation | undefined;
  readonly state: "decided" | "perimeter" | "open";
}

/** Counts the decided pairs of an operation (or the host) and a category. Pure. */
export function testedIn(profile: Profile, results: readonly Result[], reads: Reaches): Tested {
  const { operations } = profile;
  const reaches = reachesOf(operations, results, reads);
  const pairs = CATEGORY_KEYS.flatMap((category) => [
    ...pairsOf(category, { profile, results, reaches }),
    ...unknownPairs(category, profile),
  ]);
  const decided = new Set(
    pairs.flatMap(({ operation, state }) => (operation && state === "decided" ? [operation] : [])),
  );
  const isReached = (operation: Operation): boolean => reaches.get(operation) === "reached";
  return {
    pairs: Object.fromEntries(
      [...Map.groupBy(pairs, ({ category }) => category)].map(([category, own]) => [category, countsOf(own)]),
    ),
    operations: {
      known: operations.length,
      decided: decided.size,
      callable: operations.filter((operation) => operation.isRead || isReached(operation)).length,
      reached: operations.filter(isReached).length,
    },
    decided,
    reaches,
  };
}

/** Fewer discovered operations are unlikely to be the whole API where no document lists them. */
const FEW_OPERATIONS = 3;

/** Stands for operations that were not discovered: a target of which little more than the entry is known was not tested. */
const unknownPairs = (category: Category, { operations, document }: Profile): Pair[] =>
  document !== undefined || !APPLIES[category]
    ? []
    : Array.from({ length: Math.max(0, FEW_OPERATIONS - operations.length) }, () => ({
        category,
        operation: undefined,
        state: "open",
      }));

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
  { profile, results, reaches }: { profile: Profile; results: readonly Result[]; reaches: Reaches },
): Pair[] {
  const own = results.filter(({ check, verdict }) => check.category === category && isApplicable(verdict));
  const byOperation = Map.groupBy(own, ({ subject }) => subject.operation);
  const pairs = profile.operations.flatMap((operation): Pair[] => {
    const reach = reaches.get(operation)!;
    const ofOperation = byOperation.get(operation) ?? [];
    if (ofOperation.length === 0 && !APPLIES[category]?.(operation, reach)) return [];
    return [{ category, operation, state: stateOf(category, reach, ofOperation) }];
  });
  const ofHost = byOperation.get(undefined);
  if (!ofHost) return pairs;
  return [...pairs, { category, operation: undefined, state: stateOf(category, hostReach(profile), ofHost) }];
}

const isApplicable = (verdict: Result["verdict"]): boolean =>
  verdict.outcome !== "inconclusive" || verdict.applies !== false;

function stateOf(category: Category, reach: Reach, results: readonly Result[]): Pair["state"] {
  if (results.some(({ finding }) => finding)) return "decided";
  if (reach === "refused" && DECIDED_BY_REFUSAL.has(category)) return "decided";
  const hasPassed = results.some(({ verdict }) => verdict.outcome === "pass");
  if (hasPassed && (reach === "reached" || OF_THE_CONNECTION.has(category))) return "decided";
  return reach === "refused" ? "perimeter" : "open";
}

/** The host is reached where it answers with anything but a refusal. */
function hostReach({ entry, calibration }: Profile): Reach {
  if (isRefusedWholesale(calibration)) return "failed";
  return calibration.deniesEverything && isDenied(entry) ? "refused" : "reached";
}

const countsOf = (pairs: readonly Pair[]): PairCounts => ({
  applicable: pairs.length,
  decided: pairs.filter(({ state }) => state === "decided").length,
  perimeter: pairs.filter(({ state }) => state === "perimeter").length,
});
