import { ANONYMOUS, type Caller } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { isSafe, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { IdentityRejected } from "./callers.ts";
import type { Refusal } from "./session.ts";

/** Reads that are tried without credentials to find some that ask for them. */
const MAX_READS = 80;
/** Reads of one part of an API that tell whether credentials are accepted there. */
const ENOUGH = 1;
/** Parts of an API that are tried: each may take other credentials. */
const MAX_PARTS = 40;

interface Deps {
  readonly operations: readonly Operation[];
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
}

/**
 * Finds reads that refuse callers without credentials, and sends them as each identity: the target does not know an identity that
 * gets 401 and no other response than they do. An identity that may not read something gets 403 instead of 401.
 * @throws IdentityRejected, NetworkError
 */
export async function verifyIdentities(
  callers: readonly Caller[],
  { operations, send }: Deps,
): Promise<void> {
  if (callers.length === 0) return;
  const guarded = await guardedReads(operations, send);
  for (const { name } of callers) {
    const refusal = await refusalOf(name, { guarded, send });
    if (refusal) throw new IdentityRejected(name, refusal);
  }
}

/** A read that does not serve anonymous callers, and what they get. */
interface Guarded {
  readonly request: ProbeRequest;
  readonly status: number;
}

/** Some reads of each part of the API that anonymous callers are refused, or redirected to a sign-in. */
async function guardedReads(operations: readonly Operation[], send: Deps["send"]): Promise<Guarded[]> {
  const guarded: Guarded[] = [];
  for (const reads of partsOf(operations)) {
    const found: Guarded[] = [];
    for (const request of reads.slice(0, MAX_READS / MAX_PARTS)) {
      if (found.length === ENOUGH) break;
      const { status } = await send({ ...request, as: ANONYMOUS });
      if (REFUSES.has(status)) found.push({ request, status });
    }
    guarded.push(...found);
  }
  return guarded;
}

const REFUSES: ReadonlySet<number> = new Set([401, 403, 302, 303, 307]);

/** Reads by their tag, or else the first segment of their path. Those without an id first: one that does not exist is not found. */
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
  tags[0] ?? path.split("/").find((segment) => segment !== "" && !PREFIX.test(segment)) ?? "";

/** Segments that all paths of an API have in common. */
const PREFIX = /^(api|rest|v\d+)$/i;

/** A response with 401, where there is one and no read responds other than to anonymous callers. */
async function refusalOf(
  name: string,
  { guarded, send }: { readonly guarded: readonly Guarded[] } & Pick<Deps, "send">,
): Promise<Refusal | undefined> {
  let refusal: Refusal | undefined;
  for (const { request, status } of guarded) {
    const response = await send({ ...request, as: name });
    if (response.status !== status) return undefined;
    if (status === 401) refusal = { request: response.request, response };
  }
  return refusal;
}
