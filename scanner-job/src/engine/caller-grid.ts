import {
  ANONYMOUS,
  MAX_ACCESS_PATHS,
  MAX_VIOLATIONS,
  type AccessOfCallers,
  type AccessViolation,
  type CallerAccess,
  type Category,
  type Expectation,
  type Finding,
} from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { expectedOf } from "./expectations.ts";
import type { Operation } from "../inventory/operation.ts";
import { ACCESS_OF } from "./access-grid.ts";
import type { AccessByCaller } from "./caller-access.ts";
import type { TargetProfile } from "./check.ts";
import type { Tested } from "./coverage.ts";

interface Known {
  readonly profile: Pick<TargetProfile, "operations" | "neverCalled" | "callers"> & {
    readonly expectations: readonly Expectation[];
  };
  /** Of the plain read of each operation. */
  readonly access: ReadonlyMap<Operation, AccessByCaller>;
  readonly anonymousReaches: Tested["anonymousReaches"];
  readonly findings: readonly Finding[];
}

/** What each caller gets from each operation, and which of it violates authorization or expectations. Pure. */
export function callerGrid({ profile, access, anonymousReaches, findings }: Known): AccessOfCallers[] {
  const found = violationsIn(findings);
  return [...profile.operations, ...profile.neverCalled]
    .filter(({ location: { path } }) => path.length <= 2_000)
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .slice(0, MAX_ACCESS_PATHS)
    .map((operation) => {
      const { method, path } = operation.location;
      const known = access.get(operation);
      const cells: Record<string, CallerAccess> = Object.fromEntries([
        ...profile.callers.map(({ name }) => [name, known?.get(name) ?? "notCalled"] as const),
        [ANONYMOUS, known?.get(ANONYMOUS) ?? ACCESS_OF[anonymousReaches.get(operation) ?? "untried"]],
      ]);
      const violations = [
        ...(found.get(`${method} ${path}`) ?? []),
        ...violatedBy(operation, cells, profile),
      ].slice(0, MAX_VIOLATIONS);
      return {
        ...{ method: method.slice(0, 20), path, access: cells },
        ...(violations.length > 0 && { violations }),
      };
    });
}

const orderOf = ({ location: { method, path } }: Operation): string => `${path} ${method}`;

const OF_AUTHORIZATION: ReadonlySet<Category> = new Set(["bolaAuthorization", "bflaAuthorization"]);

/** Callers that got what they must not, by method and path: of findings of authorization, the identities that attacked. */
function violationsIn(findings: readonly Finding[]): ReadonlyMap<string, AccessViolation[]> {
  const violations = new Map<string, AccessViolation[]>();
  for (const { id, category, location, evidence } of findings.flatMap(instancesOf)) {
    if (!OF_AUTHORIZATION.has(category)) continue;
    const attackers = evidence.exchanges.flatMap(({ role, request: { caller = ANONYMOUS } }) =>
      role === "attack" ? [caller] : [],
    );
    const key = `${location.method} ${location.path}`;
    const known = violations.get(key) ?? [];
    known.push(...[...new Set(attackers)].map((caller) => ({ caller, finding: id })));
    violations.set(key, known);
  }
  return violations;
}

/** Expectations that the access is not as. What was not called, or had no response, says nothing. */
function violatedBy(
  operation: Operation,
  access: Readonly<Record<string, CallerAccess>>,
  { callers, expectations }: Pick<Known["profile"], "callers" | "expectations">,
): AccessViolation[] {
  return Object.entries(access).flatMap(([name, cell]): AccessViolation[] => {
    const caller = callers.find((each) => each.name === name) ?? { name };
    const expectation = expectedOf(caller, operation, expectations);
    const isReached = cell === "allowed" || cell === "different";
    const isViolated =
      (expectation === "deny" && isReached) || (expectation === "allow" && cell === "refused");
    return expectation && isViolated ? [{ caller: name, expectation }] : [];
  });
}
