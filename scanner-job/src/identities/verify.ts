import { ANONYMOUS, type Caller } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { isSafe, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { IdentityRejected } from "./callers.ts";

/** Reads that are tried without credentials to find some that ask for them. */
const MAX_READS = 40;
/** Reads of one part of an API that tell whether credentials are accepted there. */
const ENOUGH = 1;
/** Parts of an API that are tried: each may take other credentials. */
const MAX_PARTS = 20;

interface Deps {
  readonly operations: readonly Operation[];
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
}

/**
 * Finds reads that respond to callers without credentials with 401, and sends them as each identity: the target does not know an
 * identity that gets 401 from all of them. An identity that may not read something gets 403.
 * @throws IdentityRejected, NetworkError
 */
export async function verifyIdentities(
  callers: readonly Caller[],
  { operations, send }: Deps,
): Promise<void> {
  if (callers.length === 0) return;
  const guarded = await guardedReads(operations, send);
  for (const { name } of callers) {
    const refusal = await refusalOf(
      guarded.map((request) => ({ ...request, as: name })),
      send,
    );
    if (refusal) throw new IdentityRejected(name, refusal);
  }
}

/** Some reads of each part of the API that anonymous callers get 401 from. */
async function guardedReads(operations: readonly Operation[], send: Deps["send"]): Promise<ProbeRequest[]> {
  const guarded: ProbeRequest[] = [];
  for (const reads of partsOf(operations)) {
    const found: ProbeRequest[] = [];
    for (const request of reads.slice(0, MAX_READS / MAX_PARTS)) {
      if (found.length === ENOUGH) break;
      const { status } = await send({ ...request, as: ANONYMOUS });
      if (status === 401) found.push(request);
    }
    guarded.push(...found);
  }
  return guarded;
}

/** Reads by the first segment of their path and their first tag. Those without an id first: one that does not exist may be refused for another reason. */
function partsOf(operations: readonly Operation[]): readonly (readonly ProbeRequest[])[] {
  const reads = operations
    .filter(({ isRead }) => isRead)
    .toSorted((one, other) => Number(one.idParameter !== undefined) - Number(other.idParameter !== undefined))
    .map((operation) => ({ operation, request: operation.request() }))
    .filter(({ request }) => isSafe(request));
  const parts = Map.groupBy(reads, ({ operation: { facts } }) => partKey(facts));
  return [...parts.values()].slice(0, MAX_PARTS).map((part) => part.map(({ request }) => request));
}

const partKey = ({ path, tags }: Operation["facts"]): string =>
  `${path.split("/").find((segment) => segment !== "" && !PREFIX.test(segment)) ?? ""} ${tags[0] ?? ""}`;

/** Segments that all paths of an API have in common. */
const PREFIX = /^(api|rest|v\d+)$/i;

/** The last response, where all are 401. */
async function refusalOf(requests: readonly ProbeRequest[], send: Deps["send"]) {
  let refused: ProbeResponse | undefined;
  for (const request of requests) {
    const response = await send(request);
    if (response.status !== 401) return undefined;
    refused = response;
  }
  return refused && { request: refused.request, response: refused };
}
