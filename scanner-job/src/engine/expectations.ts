import { ANONYMOUS, type Caller, type Expectation } from "@glovebox/contract";
import { matches, type FilterSubject } from "@glovebox/domain";
import type { Operation } from "../inventory/operation.ts";

/**
 * Whether the owner of the scan expects that the caller reaches the operation: `allow` wins over `deny`. Undefined where nothing is
 * expected. Pure.
 */
export function expectedOf(
  caller: Pick<Caller, "name"> & Partial<Caller>,
  operation: Operation,
  expectations: readonly Expectation[],
): "allow" | "deny" | undefined {
  const own = expectations.filter(
    ({ role, identity }) => identity === caller.name || (role !== undefined && role === caller.role),
  );
  const subject = filterSubjectOf(operation);
  const isMatched = (kind: "allow" | "deny"): boolean =>
    own.some((each) => (each[kind] ?? []).some((filter) => matches(filter, subject)));
  if (isMatched("allow")) return "allow";
  return isMatched("deny") ? "deny" : undefined;
}

/** What was expected of callers that the scan does not have, for the notes: a name may be misspelled. Pure. */
export function notesOnExpectations(
  expectations: readonly Expectation[],
  callers: readonly Pick<Caller, "name" | "role">[],
): string[] {
  const isCaller = ({ role, identity }: Expectation): boolean =>
    identity === ANONYMOUS ||
    callers.some((caller) => (identity === undefined ? caller.role === role : caller.name === identity));
  const missing = expectations
    .filter((each) => !isCaller(each))
    .map(({ role, identity = "" }) => (role === undefined ? `identity \`${identity}\`` : `role \`${role}\``));
  return missing.length === 0
    ? []
    : [
        `Not checked, because the scan has no such caller: what is expected of ${[...new Set(missing)].join(", ")}.`,
      ];
}

const filterSubjectOf = ({ facts, location }: Operation): FilterSubject => ({
  methods: facts.method === "HEAD" ? ["HEAD", "GET"] : [facts.method],
  paths: [facts.path, location.path],
  tags: facts.tags,
  operationId: facts.operationId,
});
