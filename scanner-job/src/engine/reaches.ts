import { ANONYMOUS } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { farthest, type Reach } from "./reach.ts";
import { anonymousReachOf, type Read } from "./read-operations.ts";
import type { Result, Run } from "./result.ts";

/** How far requests to each operation got. */
export type Reaches = ReadonlyMap<Operation, Reach>;

/** The farthest that a read or a check got. Pure. */
export function reachesOf(
  operations: readonly Operation[],
  { results, reads }: Pick<Run, "results" | "reads">,
): Reaches {
  const byOperation = Map.groupBy(results, ({ subject }) => subject.operation);
  return new Map(
    operations.map((operation) => {
      const own = (byOperation.get(operation) ?? []).map(({ reach }) => reach);
      return [operation, farthest([reads.get(operation)?.reach ?? "untried", ...own])];
    }),
  );
}

const isAnonymous = ({ caller = ANONYMOUS }: Result): boolean => caller === ANONYMOUS;

/** The same of requests without credentials. Pure. */
export function anonymousReachesOf(
  operations: readonly Operation[],
  { results, reads }: Pick<Run, "results" | "reads">,
): Reaches {
  const anonymousReads = [...reads].map(([operation, read]): [Operation, Read] => [
    operation,
    { ...read, reach: anonymousReachOf(read) },
  ]);
  return reachesOf(operations, { results: results.filter(isAnonymous), reads: new Map(anonymousReads) });
}

/** Operations that refuse anonymous callers: of a read, the plain request tells. */
export function refusalsOf(
  operations: readonly Operation[],
  { results, reads }: Pick<Run, "results" | "reads">,
): ReadonlySet<Operation> {
  const refused = new Set(
    results
      .filter((result) => result.reach === "refused" && isAnonymous(result))
      .map(({ subject }) => subject.operation),
  );
  return new Set(
    operations.filter((operation) => {
      const read = reads.get(operation);
      return operation.isRead
        ? read !== undefined && anonymousReachOf(read) === "refused"
        : refused.has(operation);
    }),
  );
}
