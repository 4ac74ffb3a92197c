import { ANONYMOUS, type Caller } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { isSafe, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { IdentityRejected } from "./callers.ts";

/** Reads that are tried without credentials to find some that ask for them. */
const MAX_READS = 40;
/** Reads that tell whether credentials are accepted. */
const ENOUGH = 4;

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
  const guarded: ProbeRequest[] = [];
  for (const request of readsOf(operations)) {
    if (guarded.length === ENOUGH) break;
    const { status } = await send({ ...request, as: ANONYMOUS });
    if (status === 401) guarded.push(request);
  }
  for (const { name } of callers) {
    const refusal = await refusalOf(
      guarded.map((request) => ({ ...request, as: name })),
      send,
    );
    if (refusal) throw new IdentityRejected(name, refusal);
  }
}

/** Those without an id first: an id that does not exist may be refused for another reason. */
const readsOf = (operations: readonly Operation[]): ProbeRequest[] =>
  operations
    .filter(({ isRead }) => isRead)
    .toSorted((one, other) => Number(one.idParameter !== undefined) - Number(other.idParameter !== undefined))
    .map((operation) => operation.request())
    .filter(isSafe)
    .slice(0, MAX_READS);

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
