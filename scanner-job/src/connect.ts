import { setTimeout as after } from "node:timers/promises";
import type { Caller, ScanOrder } from "@glovebox/contract";
import { Callers } from "./identities/callers.ts";
import { NO_SESSIONS, type DisposableSessions } from "./identities/disposable-sessions.ts";
import { selectionOf, type Selection } from "./inventory/selection.ts";
import type { ProbeRequest } from "./transport/exchange.ts";
import { createTransport, type Transport, type TransportDeps } from "./transport/transport.ts";
import { WriteLedger } from "./writes/ledger.ts";

/** The connection to the target of an order. */
export interface Connection {
  readonly transport: Transport;
  /** What was written through it. */
  readonly writes: WriteLedger;
  /** Which operations requests may call. */
  readonly selection: Selection;
  /** The identities that requests may be sent as. */
  readonly callers: readonly Caller[];
  /** Other sessions of the identities, which checks may end. */
  readonly sessions: DisposableSessions;
  /** @throws IdentityRejected, NetworkError */
  signIn(): Promise<void>;
  /** Plain data without the secrets of the identities. */
  masked<Data>(data: Data): Data;
}

/** Sends nothing yet. */
export function connect(
  order: Pick<
    ScanOrder,
    "url" | "spec" | "identities" | "include" | "exclude" | "pins" | "limits" | "extraCa"
  >,
  deps: Pick<TransportDeps, "signal" | "now" | "today" | "wait">,
): Connection {
  const writes = new WriteLedger();
  const selection = selectionOf(order);
  const { identities } = order;
  if (!identities) {
    const transport = createTransport({ order, writes, filter: selection, ...deps });
    return {
      ...{ transport, writes, selection, callers: [], sessions: NO_SESSIONS },
      signIn: async () => {},
      masked: (data) => data,
    };
  }
  const callers = new Callers(identities, { target: new URL(order.url), now: deps.now });
  const transport = createTransport({ order, writes, filter: selection, callers, ...deps });
  // Whoever gave the identity wants it to sign in.
  const transmit = (request: ProbeRequest) => transport.send(request, { share: false, filters: "none" });
  return {
    transport,
    writes,
    selection,
    callers: callers.all,
    sessions: callers.disposableBy(transmit, deps.wait ?? after),
    signIn: () => callers.signIn(transmit),
    masked: (data) => callers.mask.maskQuotes(data),
  };
}
