import { ANONYMOUS, type Caller } from "@glovebox/contract";
import { createBaselineRequests, type BaselineRequests } from "../inventory/baseline-requests.ts";
import { createIdPool, type IdPool } from "../inventory/id-pool.ts";
import type { Operation } from "../inventory/operation.ts";
import { signInFields } from "../inventory/sign-in.ts";
import { isSuccess } from "../oracles/classify.ts";
import { markersOf, type Markers } from "./markers.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { responseOrNothing } from "../transport/network-error.ts";

/** Values that a caller sees in the responses of the target, of which further requests are made. */
export interface CallerValues {
  readonly idPool: IdPool;
  readonly baselineRequests: BaselineRequests;
  /** The caller's successful responses to reads that need no id. Read once. */
  ownReads(): Promise<readonly OwnRead[]>;
  /** What identifies the caller, and none of the others. */
  markers(): Promise<Markers>;
}

/** What a caller got from a read that needs no id. */
export interface OwnRead {
  readonly operation: Operation;
  readonly json: unknown;
}

/** The operations grow during the scan. */
interface Known {
  readonly operations: readonly Operation[];
  readonly callers: readonly Caller[];
  readonly baselineCaller: string;
}

type Send = (request: ProbeRequest) => Promise<ProbeResponse>;

/** Reads of one caller at most. */
const MAX_OWN_READS = 40;
/** Characters of a response that is kept: the lists of a caller are needed until the scan ends. */
const MAX_KEPT = 200_000;

/**
 * The values of each caller, read when they are first needed. Those of an earlier time may be of an outage, whose responses hold
 * none: then make new ones.
 */
export function valuesByCaller(
  { operations, callers, baselineCaller }: Known,
  send: Send,
): (caller: string) => CallerValues {
  const known = new Map<string, CallerValues>();
  const valuesOf = (caller: string): CallerValues => {
    const values = known.get(caller) ?? create(caller);
    known.set(caller, values);
    return values;
  };
  const create = (caller: string): CallerValues => {
    const sendAs: Send = (request) => send(caller === baselineCaller ? request : { ...request, as: caller });
    const ownReads = once(() => readOwn(operations, sendAs));
    const markers = once(async () => {
      const others = callers.map(({ name }) => name).filter((name) => name !== caller);
      const theirs = await Promise.all(others.map((name) => valuesOf(name).ownReads()));
      return markersOf(await ownReads(), theirs);
    });
    const ownIds = async (): Promise<Iterable<string>> => (await markers()).ids;
    const idPool = createIdPool({ send: sendAs, operations, ...(caller !== ANONYMOUS && { ownIds }) });
    const baselineRequests = createBaselineRequests({ send: sendAs, operations, idPool });
    return { idPool, baselineRequests, ownReads, markers };
  };
  return valuesOf;
}

async function readOwn(operations: readonly Operation[], send: Send): Promise<OwnRead[]> {
  const reads = operations
    .filter(({ facts }) => facts.method === "GET" && !facts.path.includes("{") && !signInFields(facts))
    .toSorted((a, b) => Number(isOfTheCaller(b)) - Number(isOfTheCaller(a)))
    .slice(0, MAX_OWN_READS);
  const responses = await Promise.all(reads.map((operation) => responseOrNothing(send, operation.request())));
  return reads.flatMap((operation, index) => {
    const response = responses[index];
    return response && isSuccess(response) && response.body.length <= MAX_KEPT && response.json !== undefined
      ? [{ operation, json: response.json }]
      : [];
  });
}

/** Paths that most likely return the caller itself are read first. */
const isOfTheCaller = ({ facts }: Operation): boolean =>
  facts.path
    .split("/")
    .some((segment) => /^(me|self|whoami|current|profile|account|user(-?info)?|session)$/i.test(segment));

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
