import type { CallerValues, OwnRead } from "../identities/caller-values.ts";
import type { Operation, RequestChanges } from "../inventory/operation.ts";
import type { Markers } from "../identities/markers.ts";
import type { ProbeRequest } from "../transport/exchange.ts";

/** How a check names the objects that it asks for. */
export interface Addressing {
  /** Ids of existing objects for the operation's id parameter, best first; at most 10. */
  idsFor(operation: Operation): Promise<readonly string[]>;
  /** The ids and values with which the operation's handler is reached, as far as that is known. */
  changesFor(operation: Operation): Promise<RequestChanges>;
  /** The operation called with them. */
  withRealIds(operation: Operation, changes?: RequestChanges): Promise<ProbeRequest>;
  /** The requests by which a read is worth reading: as above, and with all of its optional parameters. */
  readsOf(operation: Operation): Promise<readonly ProbeRequest[]>;
  /** The body that the operation is ordinarily sent with; undefined where it has none. */
  bodyOf(operation: Operation): Promise<unknown>;
  /** The operation for the object of this id, below real parents. */
  withId(operation: Operation, id: string): Promise<ProbeRequest>;
  /**
   * The operation for an object that cannot exist, below real parents; its id has the form of existing ones. It is the `same`
   * for each path, so that responses are shared, or `another` each time.
   */
  withNoObject(operation: Operation, which?: "same" | "another"): Promise<ProbeRequest>;
}

/** What an identity sees. */
export interface CallerView extends Addressing {
  /** Its responses to the reads that need no id, once in a scan. */
  ownReads(): Promise<readonly OwnRead[]>;
  /** What identifies it, and no other identity. */
  markers(): Promise<Markers>;
}

/** Requests name the caller where it is not the one of all requests. */
export function addressing(
  { idPool, baselineRequests }: Pick<CallerValues, "idPool" | "baselineRequests">,
  caller?: string,
): Addressing {
  const called = (request: ProbeRequest): ProbeRequest =>
    caller === undefined ? request : { ...request, as: caller };
  const withRealIds: Addressing["withRealIds"] = async (operation, changes = {}) => {
    const defaults = await baselineRequests.changesFor(operation);
    return called(
      operation.request({
        ...defaults,
        ...changes,
        path: { ...defaults.path, ...changes.path },
        query: { ...defaults.query, ...changes.query },
        headers: { ...defaults.headers, ...changes.headers },
      }),
    );
  };
  const withId: Addressing["withId"] = (operation, id) =>
    withRealIds(operation, { path: { [operation.idParameter?.name ?? ""]: id } });
  return {
    idsFor: (operation) => idPool.idsFor(operation),
    changesFor: (operation) => baselineRequests.changesFor(operation),
    withRealIds,
    readsOf: async (operation) =>
      (await baselineRequests.readsOf(operation)).map((changes) => called(operation.request(changes))),
    bodyOf: async (operation) =>
      (await baselineRequests.changesFor(operation)).content ?? operation.facts.body?.sample,
    withId,
    async withNoObject(operation, which = "same") {
      const id = await idPool.impossibleIdFor(operation, which);
      return id === undefined ? withRealIds(operation) : withId(operation, id);
    },
  };
}
