import { isDestructive } from "./effects.ts";
import { shapeOf } from "./discovery/path-template.ts";
import type { Selection } from "./selection.ts";
import { Operation, type OperationFacts } from "./operation.ts";

/** Maximum number of operations that a scan finds beside the inventory. */
const MAX_FOUND = 500;

/** The operations of a target: those in the inventory, and those that the scan finds on its way. */
export class KnownOperations {
  readonly #operations: Operation[];
  readonly #origin: string;
  readonly #identities: Set<string>;
  readonly #max: number;

  readonly #selection: Pick<Selection, "among">;

  constructor(origin: string, operations: readonly Operation[], selection: Pick<Selection, "among">) {
    this.#selection = selection;
    this.#origin = origin;
    this.#operations = [...operations];
    this.#identities = new Set(operations.map(({ facts }) => identityOf(facts)));
    this.#max = operations.length + MAX_FOUND;
  }

  /** Grows as operations are added. */
  get all(): readonly Operation[] {
    return this.#operations;
  }

  /** Adds the operation, unless it is known already, must never be called or is not selected. */
  add(facts: OperationFacts): void {
    const identity = identityOf(facts);
    if (this.#identities.has(identity) || isDestructive(facts) || this.#operations.length >= this.#max)
      return;
    if (this.#selection.among([facts]).length === 0) return;
    this.#identities.add(identity);
    this.#operations.push(new Operation(this.#origin, facts));
  }
}

/** Names of path parameters do not distinguish operations; GraphQL fields and operations of SOAP do, which share one path. */
export const identityOf = ({ method, base, path, graphqlField, soapOperation }: OperationFacts): string =>
  `${method} ${shapeOf(base + path)} ${graphqlField ?? soapOperation ?? ""}`;
