import type { DocumentGap } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import type { TargetProfile } from "./check.ts";
import type { Read } from "./read-operations.ts";
import type { Reach } from "./reach.ts";

/** From this share of wrong operations on, a document does not describe its target. */
const CONTRADICTED_FROM = 0.1;

/**
 * Whether the API may have operations that are not known. The target contradicts its document where one in ten of the
 * operations is in one of the two only: the document has it and the target does not, or the other way round. Pure.
 */
export function gapIn(
  { document }: Pick<TargetProfile, "document">,
  target: {
    readonly operations: readonly Operation[];
    readonly reaches: ReadonlyMap<Operation, Reach>;
    readonly reads: ReadonlyMap<Operation, Read>;
  },
): DocumentGap | undefined {
  if (!document) return "missing";
  const { reaches, reads } = target;
  const declared = new Set(target.operations.filter(isDeclared).map(({ location }) => location.path));
  // A guard in front refuses every method of a path, whether it exists or not.
  const isThere = (operation: Operation): boolean =>
    reaches.get(operation) === "refused"
      ? !declared.has(operation.location.path)
      : reaches.get(operation) !== "missing";
  const operations = target.operations.filter((operation) => isDeclared(operation) || isThere(operation));
  const wrong = operations.filter((operation) => !isDeclared(operation) || reads.get(operation)?.isAbsent);
  const isContradicted =
    wrong.length > 0 && countLocations(wrong) >= CONTRADICTED_FROM * countLocations(operations);
  return isContradicted ? "contradicted" : undefined;
}

const isDeclared = ({ facts }: Operation): boolean => facts.source === "spec";

/** All queries of GraphQL are at one location. */
const countLocations = (operations: readonly Operation[]): number =>
  new Set(operations.map(({ location: { method, path } }) => `${method} ${path}`)).size;

/** The submitted address itself, beside a document that does not know it: it also responds where the API is elsewhere. */
export const isEntry = (
  { facts, location }: Operation,
  { document, host }: Pick<TargetProfile, "document" | "host">,
): boolean => document !== undefined && facts.source === "discovered" && location.path === host.location.path;
