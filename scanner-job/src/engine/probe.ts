import { randomInt } from "node:crypto";
import type { Access, Exchange } from "@glovebox/contract";
import type { AccountAttempts } from "../inventory/account-attempts.ts";
import type { Operation, OperationFacts } from "../inventory/operation.ts";
import type { BaselineRequests } from "../inventory/baseline-requests.ts";
import type { CallerValues } from "../identities/caller-values.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { Handshake, HandshakeOffer } from "../transport/tls-handshake.ts";
import type { Subject, TargetProfile } from "./check.ts";
import type { IdPool } from "../inventory/id-pool.ts";
import type { Transport } from "../transport/transport.ts";
import { calls } from "./reach.ts";
import { addressing, type Addressing, type CallerView } from "./addressing.ts";
import { handshakeResponse } from "./evidence.ts";
import { NetworkError, type NetworkErrorKind } from "../transport/network-error.ts";
import { notFoundControl } from "../oracles/not-found.ts";

/**
 * Everything that a check can do. Each exchange is recorded as evidence, under the role of its request. Identical
 * requests of all checks are sent once in each of the two examinations; `again` and `burst` share no responses.
 */
export interface Probe extends Addressing {
  readonly profile: TargetProfile;
  /** The request that tests for the weakness. */
  attack(request: ProbeRequest): Promise<ProbeResponse>;
  /** A similar request that must get a different response for the attack's response to mean anything. */
  control(request: ProbeRequest): Promise<ProbeResponse>;
  /** A baseline request: the behaviour without an attack. */
  baseline(request: ProbeRequest): Promise<ProbeResponse>;
  /** As a control: the same request sent again, never from the cache. Shows what varies between responses. */
  again(request: ProbeRequest): Promise<ProbeResponse>;
  /** As a control: a request like this one, to a random path that does not exist. Shows how this host says "not found". */
  missing(request: ProbeRequest): Promise<ProbeResponse>;
  /** Sends what `request` makes again and again (at most 30), in order, until `enough`; the last becomes evidence. */
  burst(
    request: () => ProbeRequest,
    times: number,
    enough: (response: ProbeResponse) => boolean,
  ): Promise<ProbeResponse[]>;
  /** A TLS handshake; recorded as evidence. */
  handshake(offer?: HandshakeOffer): Promise<Handshake>;
  /** The same for an identity: with the ids and values that it sees itself. Its requests are sent as the identity. */
  as(caller: string): CallerView;
  /** Reads that the target throttled (429) at some time of this scan, the latest first. */
  readonly throttled: readonly ProbeRequest[];
  /** What callers without credentials have got from the operation so far in this scan; one refusal outweighs what attacks got. */
  accessTo(operation: Operation): Access;
  /** What all checks of the scan have tried at its log-ins. */
  readonly accounts: AccountAttempts;
  /** A nonce of letters, a new one at each call and in each examination. */
  nonce(): string;
  /** Tells that the value at the examined insertion point may be interpreted, so that further attacks there come first. */
  interpreted(): void;
  /** Adds an operation to those that are known, so that all checks examine it. */
  found(operation: OperationFacts): void;
}

/** A probe and the exchanges that it recorded. */
export interface RecordedProbe {
  readonly probe: Probe;
  readonly exchanges: readonly Recorded[];
  /** Requests without a response: the connection was refused, reset or timed out. */
  readonly lostRequests: readonly ProbeRequest[];
  /** Whether a response was read after it had been cut for want of memory: no verdict on it counts. */
  readonly hasReadCut: () => boolean;
  /** Requests that were sent, beside those whose responses are shared. */
  readonly sent: () => number;
}

export interface Recorded {
  readonly role: Exchange["role"];
  readonly request: ProbeRequest;
  readonly response: ProbeResponse;
}

const WITHOUT_RESPONSE: ReadonlySet<NetworkErrorKind> = new Set(["reset", "refused", "timeout"]);

/** Requests of one burst at most. */
const MAX_BURST = 30;

export interface RecorderDeps {
  readonly profile: TargetProfile;
  readonly transport: Transport;
  readonly idPool: IdPool;
  readonly baselineRequests: BaselineRequests;
  /** The values that an identity sees. */
  readonly valuesOf: (caller: string) => CallerValues;
  /** Called with each HTTP response. */
  readonly onResponse: (response: ProbeResponse, subject: Subject, role: Recorded["role"]) => void;
  /** Called before each request that is sent for the subject, and not for shared responses; throws where no more may be. */
  readonly admit: () => void;
  readonly accessTo: Probe["accessTo"];
  readonly accounts: AccountAttempts;
  /** Called where a check saw that the subject's value may be interpreted. */
  readonly onInterpreted: (subject: Subject) => void;
  /** Called with each operation that a check discovered. */
  readonly onOperation: (facts: OperationFacts) => void;
}

/** A probe for one examination of one subject. The second examination shares no response with the first. */
export function createProbe(
  deps: RecorderDeps,
  examination: { pass: 1 | 2; subject: Subject; caller?: string | undefined },
): RecordedProbe {
  const { profile, transport, idPool, baselineRequests } = deps;
  const { send, keep, record, ...recorded } = createRecorder(deps, examination);
  const sendAs = (role: Recorded["role"]) => async (request: ProbeRequest) =>
    record(role, await send(request));
  const control = sendAs("control");

  const probe: Probe = {
    profile,
    attack: sendAs("attack"),
    control,
    baseline: sendAs("baseline"),
    again: async (request) => record("control", await send(request, { share: false })),
    missing: (request) => control(notFoundControl(request, profile)),
    async burst(request, times, enough) {
      const responses: ProbeResponse[] = [];
      while (responses.length < Math.min(times, MAX_BURST)) {
        const response = await send(request(), { share: false, retry: false });
        responses.push(response);
        if (enough(response)) break;
      }
      record("attack", responses.at(-1)!);
      return responses;
    },
    async handshake(offer) {
      const made = await transport.handshake(profile.target, offer, { pass: examination.pass });
      keep("attack", handshakeResponse(profile.target, offer ?? {}, made));
      return made;
    },
    ...addressing({ idPool, baselineRequests }),
    as(caller) {
      const values = deps.valuesOf(caller);
      return { ...addressing(values, caller), ownReads: values.ownReads, markers: values.markers };
    },
    get throttled() {
      return transport.throttled;
    },
    accessTo: deps.accessTo,
    accounts: deps.accounts,
    nonce: newNonce,
    interpreted: () => deps.onInterpreted(examination.subject),
    found: deps.onOperation,
  };
  return { probe, ...recorded };
}

/** Sends requests and records those with and those without a response. */
function createRecorder(
  { transport, baselineRequests, onResponse, admit }: RecorderDeps,
  { pass, subject, caller }: { pass: 1 | 2; subject: Subject; caller?: string | undefined },
) {
  const exchanges: Recorded[] = [];
  const lostRequests: ProbeRequest[] = [];
  const received: ProbeResponse[] = [];
  let sent = 0;
  const calledAs = (request: ProbeRequest): ProbeRequest =>
    request.as !== undefined || caller === undefined || caller === transport.baselineCaller
      ? request
      : { ...request, as: caller };
  const keep = (role: Recorded["role"], response: ProbeResponse): ProbeResponse => {
    exchanges.push({ role, request: response.request, response });
    return response;
  };
  return {
    exchanges,
    lostRequests,
    hasReadCut: () => received.some(({ isReadCut }) => isReadCut),
    sent: () => sent,
    keep,
    record(role: Recorded["role"], response: ProbeResponse): ProbeResponse {
      onResponse(response, subject, role);
      const { operation } = subject;
      if (role === "baseline" && operation && calls(response.request, operation))
        baselineRequests.learn(operation, response);
      return keep(role, response);
    },
    async send(
      given: ProbeRequest,
      options: { share?: boolean; retry?: boolean } = {},
    ): Promise<ProbeResponse> {
      const request = calledAs(given);
      try {
        const response = await transport.send(request, {
          pass,
          admit: () => (admit(), void sent++),
          ...options,
        });
        received.push(response);
        return response;
      } catch (error) {
        if (error instanceof NetworkError && WITHOUT_RESPONSE.has(error.kind)) lostRequests.push(request);
        throw error;
      }
    },
  };
}

/** Sixteen letters: no digit to be taken for an id, no sign that a router or a query would read. */
export const newNonce = (): string =>
  Array.from({ length: 16 }, () => String.fromCharCode("a".charCodeAt(0) + randomInt(26))).join("");
