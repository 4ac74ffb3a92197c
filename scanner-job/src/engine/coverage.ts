import {
  CATEGORY_KEYS,
  type Category,
  type DocumentGap,
  type OperationCounts,
  type PairCounts,
} from "@glovebox/contract";
import { locationName } from "@glovebox/domain";
import type { Operation, OperationFacts } from "../inventory/operation.ts";
import { subjectsOf, type Check, type Subject, type TargetProfile } from "./check.ts";
import { gapIn, isEntry } from "./document-gap.ts";
import { hostReach, type Reach } from "./reach.ts";
import { anonymousReachesOf, reachesOf, refusalsOf, type Reaches } from "./reaches.ts";
import type { Result, Run } from "./result.ts";
import { valueOf } from "./priority.ts";

/** Coverage of a target, as input of the score. */
export interface Tested {
  readonly pairs: Readonly<Partial<Record<Category, PairCounts>>>;
  readonly operations: OperationCounts;
  readonly documentGap: DocumentGap | undefined;
  /** No operation was seen to refuse anonymous callers, and not all that should are declared public. */
  readonly refusesNobody: boolean;
  /** Operations of which something was decided. */
  readonly decided: ReadonlySet<Operation>;
  /** How far requests to each operation got. */
  readonly reaches: ReadonlyMap<Operation, Reach>;
  /** The same of requests without credentials. */
  readonly anonymousReaches: ReadonlyMap<Operation, Reach>;
}

/** For these categories a refusal without credentials is a result. */
const DECIDED_BY_REFUSAL: ReadonlySet<Category> = new Set(["authentication", "bflaAuthorization"]);
/** Tests of the connection do not depend on the status of the response. */
const OF_THE_CONNECTION: ReadonlySet<Category> = new Set(["encryption"]);

/**
 * To which operations a category applies, whether or not a check got to them. The others: where a check applies. The target's
 * response does not matter: otherwise a category would cease to apply where less is known.
 */
const APPLIES: Partial<Record<Category, (operation: Operation) => boolean>> = {
  authentication: ({ facts }) => !isDeclaredPublic(facts),
  bolaAuthorization: ({ idParameter }) => idParameter !== undefined,
  bflaAuthorization: ({ facts, isRead }) => !isDeclaredPublic(facts) || !isRead,
  propertyAuthorization: ({ facts, isRead }) => isRead || facts.body !== undefined,
  inputValidation: ({ facts }) =>
    facts.body !== undefined ||
    facts.parameters.some(({ in: location }) => location === "query" || location === "path"),
  dataExposure: ({ isRead }) => isRead,
};

const isDeclaredPublic = ({ security }: OperationFacts): boolean =>
  security === "none" || security === "optional";

/** A check on a subject that applies to the target, whether or not it was examined. */
interface Test {
  readonly category: Category;
  readonly operation: Operation | undefined;
  /** Severity × likelihood of the weakness. */
  readonly weight: number;
  readonly isDecided: boolean;
  /** It sends nothing: it does not make a category apply to an operation. */
  readonly onlyObserves: boolean;
  readonly isComparison: boolean;
}

/** `operation` is undefined for the host, and for operations that are unknown. */
interface Pair {
  readonly operation: Operation | undefined;
  /** Decided share. */
  readonly share: number;
  readonly isRefused: boolean;
}

/**
 * How much of each pair of an operation (or the host) and a category was decided, by all `checks` there are: what a run
 * left out stays open. Pure.
 */
export function testedIn(
  profile: TargetProfile,
  run: Pick<Run, "results" | "reads">,
  checks: readonly Check[],
): Tested {
  const all = [...profile.operations, ...profile.neverCalled];
  const reaches = reachesOf(all, run);
  const operations = all.filter(
    (operation) => !run.reads.get(operation)?.isPeripheral && !isEntry(operation, profile),
  );
  const refusals = refusalsOf(all, run);
  const tests = Map.groupBy(testsOf(profile, { ...run, reaches }, checks), ({ category }) => category);
  const pairs = CATEGORY_KEYS.map((category): [Category, Pair[]] => [
    category,
    pairsOf(category, { profile, operations, refusals, tests: tests.get(category) ?? [] }),
  ]);
  const decided = new Set(
    pairs.flatMap(([, own]) =>
      own.flatMap(({ operation, share }) => (operation && share > 0 ? [operation] : [])),
    ),
  );
  const isReached = (operation: Operation): boolean => reaches.get(operation) === "reached";
  const documentGap = gapIn(profile, { operations, reaches, reads: run.reads });
  return {
    pairs: Object.fromEntries(
      pairs.flatMap(([category, own]) => (own.length === 0 ? [] : [[category, countsOf(own)]])),
    ),
    operations: {
      known: operations.length,
      decided: decided.size,
      callable: operations.filter((operation) => operation.isRead || isReached(operation)).length,
      reached: operations.filter(isReached).length,
    },
    documentGap,
    // Where operations may be unknown, writes may be among them.
    refusesNobody: refusals.size === 0 && (documentGap !== undefined || operations.some(needsGuard)),
    decided,
    reaches,
    anonymousReaches: anonymousReachesOf(all, run),
  };
}

/** What is declared to need credentials, and a write that is not declared public. Reads may be public without a word. */
const needsGuard = ({ facts, isRead }: Operation): boolean =>
  facts.security === "required" || (!isRead && !isDeclaredPublic(facts));

/** The results, but for those that showed that a check does not apply; and all that has no result. */
function testsOf(
  profile: TargetProfile,
  run: Pick<Run, "results"> & { readonly reaches: Reaches },
  checks: readonly Check[],
): Test[] {
  const host = hostReach(profile);
  const test = (check: Check, subject: Subject, isDecided: boolean): Test => ({
    category: check.category,
    operation: subject.operation,
    weight: valueOf({ check, subject }, profile.context),
    isDecided,
    onlyObserves: check.kind === "observation",
    isComparison: check.kind === "comparison",
  });
  const byCheck = Map.groupBy(run.results, ({ check }) => check.id);
  const compared = comparedIn(run.results);
  const withResult = run.results
    .filter(({ verdict }) => verdict.outcome !== "inconclusive" || verdict.applies !== false)
    .map((result) => {
      const { operation } = result.subject;
      const reach = operation ? (run.reaches.get(operation) ?? "untried") : host;
      return test(result.check, result.subject, isDecided(result, { reach, compared }));
    });
  const withoutResult = checks.flatMap((check) => {
    const examined = new Set(byCheck.get(check.id)?.map(({ subject }) => keyOf(subject)));
    return allSubjectsOf(check, profile)
      .filter((subject) => !examined.has(keyOf(subject)))
      .map((subject) => test(check, subject, false));
  });
  // What a comparison leaves open is as it is without the identities: taking them away must not raise coverage.
  return [...withResult, ...withoutResult].filter((each) => each.isDecided || !each.isComparison);
}

/** Operations of whose objects it was decided what other users get. */
const comparedIn = (results: readonly Result[]): ReadonlySet<Operation | undefined> =>
  new Set(
    results
      .filter(
        ({ check, verdict, finding }) =>
          check.kind === "comparison" &&
          check.category === "bolaAuthorization" &&
          (finding !== undefined || verdict.outcome === "pass"),
      )
      .map(({ subject }) => subject.operation),
  );

/** A check that only observes applies wherever there may be a response. */
const allSubjectsOf = (check: Check, profile: TargetProfile): readonly Subject[] =>
  check.kind === "observation" ? [profile.host, ...profile.operations] : subjectsOf(check, profile);

const keyOf = ({ operation, location }: Subject): string =>
  `${operation ? locationName(operation.location) : ""} ${locationName(location)}`;

/**
 * A finding decides. A pass decides where the operation's handler was reached: by the requests of the test itself, or by others
 * where it sent none or needs a response like the one for a path that does not exist. That anonymous callers get no object decides
 * only where it is also decided what other users get.
 */
function isDecided(
  { check: { category }, subject: { operation }, verdict, finding, reach: own }: Result,
  { reach, compared }: { reach: Reach; compared: ReadonlySet<Operation | undefined> },
): boolean {
  if (finding) return true;
  if (verdict.outcome !== "pass") return false;
  if (OF_THE_CONNECTION.has(category)) return true;
  const got = operation && own !== "untried" && own !== "missing" ? own : reach;
  const isRefusalDecisive =
    DECIDED_BY_REFUSAL.has(category) || (category === "bolaAuthorization" && compared.has(operation));
  return got === "reached" || (got === "refused" && isRefusalDecisive);
}

/** The pairs of a category with operations; where there is none, one with the host. */
function pairsOf(
  category: Category,
  {
    profile,
    operations,
    refusals,
    tests,
  }: {
    readonly profile: TargetProfile;
    readonly operations: readonly Operation[];
    readonly refusals: ReadonlySet<Operation>;
    readonly tests: readonly Test[];
  },
): Pair[] {
  const byOperation = Map.groupBy(tests, ({ operation }) => operation);
  const pairs = operations.flatMap((operation): Pair[] => {
    const own = byOperation.get(operation) ?? [];
    if (own.every(({ onlyObserves }) => onlyObserves) && !APPLIES[category]?.(operation)) return [];
    const isRefused = refusals.has(operation);
    const untested = isRefused && DECIDED_BY_REFUSAL.has(category) ? 1 : 0;
    return [{ operation, isRefused, share: shareOf(own) ?? untested }];
  });
  if (APPLIES[category]) pairs.push(...unknownPairs(profile, operations.length));
  if (pairs.length > 0 || tests.length === 0) return pairs;
  return [{ operation: undefined, isRefused: hostReach(profile) === "refused", share: shareOf(tests) ?? 0 }];
}

/** Undefined where no test applies. */
function shareOf(tests: readonly Test[]): number | undefined {
  const weightOf = (some: readonly Test[]): number => some.reduce((sum, { weight }) => sum + weight, 0);
  const whole = weightOf(tests);
  return whole === 0 ? undefined : weightOf(tests.filter(({ isDecided }) => isDecided)) / whole;
}

/** Fewer discovered operations are unlikely to be the whole API where no document lists them. */
const FEW_OPERATIONS = 3;

/** Stands for operations that were not discovered: a target of which little more than the entry is known was not tested. */
const unknownPairs = ({ document }: TargetProfile, known: number): Pair[] =>
  document !== undefined
    ? []
    : Array.from({ length: Math.max(0, FEW_OPERATIONS - known) }, () => ({
        ...{ operation: undefined, share: 0, isRefused: false },
      }));

/** From this share on, a pair counts as decided where pairs are counted. */
const MOSTLY = 0.5;

function countsOf(pairs: readonly Pair[]): PairCounts {
  const isMostlyDecided = ({ share }: Pair): boolean => share >= MOSTLY;
  return {
    applicable: pairs.length,
    decided: pairs.filter(isMostlyDecided).length,
    perimeter: pairs.filter((pair) => pair.isRefused && !isMostlyDecided(pair)).length,
    share: pairs.reduce((sum, { share }) => sum + share, 0) / pairs.length,
  };
}
