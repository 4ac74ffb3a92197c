import { parentOf, shapeOf } from "../inventory/discovery/path-template.ts";
import type { Operation, OperationFacts } from "../inventory/operation.ts";
import { wordsOf } from "../names.ts";
import { reachesOthers, type Resource } from "./resources.ts";

/** Something that is done with an object: `POST /orders/{orderId}/ship`. */
export interface Action {
  readonly operation: Operation;
  /** The first word of its last segment: `ship`. */
  readonly verb: string;
}

/** True for a POST below one object that is not to a collection, and by its name moves no money and reaches nobody else. Pure. */
export function isAction(facts: Pick<OperationFacts, "method" | "path" | "operationId">): boolean {
  const last = /\}\/([^/{}]+)\/?$/.exec(facts.path)?.[1];
  return facts.method === "POST" && last !== undefined && !/[^s]s$/i.test(last) && !reachesOthers(facts);
}

/** The actions on the objects of a resource. Pure. */
export const actionsOf = (operations: readonly Operation[], { collection }: Resource): Action[] =>
  operations
    .filter(
      ({ facts, location }) =>
        isAction(facts) && shapeOf(parentOf(location.path)) === shapeOf(`${collection}/{}`),
    )
    .map((operation) => ({ operation, verb: verbOf(operation) }));

const verbOf = ({ location }: Operation): string =>
  wordsOf(location.path.split("/").findLast((segment) => segment !== "") ?? "")[0] ?? "";
