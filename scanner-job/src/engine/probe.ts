import type { Exchange } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import type { ProbeRequest, Reply } from "../transport/exchange.ts";
import type { Handshake, HandshakeOffer } from "../transport/tls-handshake.ts";
import type { TargetProfile } from "./target-profile.ts";

/**
 * Everything that a check can do. What it sends is kept as evidence, under the role that it was sent in. Identical
 * requests are sent once in each of the two looks, whoever sends them; `again` and `burst` share nothing.
 */
export interface Probe {
  readonly profile: TargetProfile;
  /** The request in question. */
  attack(request: ProbeRequest): Promise<Reply>;
  /** A like request that must be answered otherwise for the attack's answer to mean anything. */
  control(request: ProbeRequest): Promise<Reply>;
  /** An ordinary request: how things are when nobody attacks. */
  baseline(request: ProbeRequest): Promise<Reply>;
  /** As a control: the same request sent anew, shared with nobody. Shows what varies from one answer to the next. */
  again(request: ProbeRequest): Promise<Reply>;
  /** As a control: a request like this one, to a path that nobody can have made. What this host says to "not found". */
  missing(request: ProbeRequest): Promise<Reply>;
  /** Sends what `request` makes again and again (at most 30), in order, until `enough`; the last becomes evidence. */
  burst(request: () => ProbeRequest, times: number, enough: (reply: Reply) => boolean): Promise<Reply[]>;
  /** A TLS handshake; kept as evidence. */
  handshake(offer?: HandshakeOffer): Promise<Handshake>;
  /** Ids of existing objects for the operation's id parameter, best first; at most 10. */
  idsFor(operation: Operation): Promise<readonly string[]>;
  /** The operation with real values for its path parameters where such were found. */
  withRealIds(operation: Operation): Promise<ProbeRequest>;
  /** The operation for the object of this id, below real parents. */
  withId(operation: Operation, id: string): Promise<ProbeRequest>;
  /**
   * The operation for an object that cannot exist, below real parents; its id has the form of those that do. It is the
   * usual one of the path, so that answers are shared, or another each time.
   */
  withNoObject(operation: Operation, which?: "usual" | "another"): Promise<ProbeRequest>;
  /** Reads that the target answered with 429 at some time of this scan, the latest first. */
  readonly throttled: readonly ProbeRequest[];
  /** Letters that nobody has sent before; other letters in the repeat. */
  nonce(): string;
}

/** A probe, and what went through it. */
export interface RecordedProbe {
  readonly probe: Probe;
  readonly exchanges: readonly Recorded[];
}

export interface Recorded {
  readonly role: Exchange["role"];
  readonly request: ProbeRequest;
  readonly reply: Reply;
}
