import { randomBytes } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import type { Caller, Identity, NotedWrite, ScanOrder } from "@glovebox/contract";
import { markerOf } from "./active/derived.ts";
import { divided } from "./active/reserve.ts";
import { tellChanges } from "./engine/noted-write.ts";
import { Callers } from "./identities/callers.ts";
import { NO_SESSIONS, type DisposableSessions } from "./identities/disposable-sessions.ts";
import { selectionOf, type Selection } from "./inventory/selection.ts";
import type { ProbeRequest } from "./transport/exchange.ts";
import { createTransport, type Transport, type TransportDeps } from "./transport/transport.ts";
import { WriteJournal } from "./writes/journal.ts";
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
  /** For users that an active scan registers. */
  readonly addCaller: {
    /** False where the sign-in failed. @throws NetworkError */
    signIn(identity: Identity): Promise<boolean>;
    /** Masks a secret from now on. */
    hide(secret: string): void;
  };
  /** A transport with separate limits, for after the scan. The caller closes it. */
  forCleanUp(): Transport;
  /** Signs in everybody once more: the sessions of the scan may have ended. @throws NetworkError */
  signInAgain(through: Transport): Promise<void>;
  /** Plain data without the secrets of the identities. */
  masked<Data>(data: Data): Data;
}

type ConnectOrder = Pick<
  ScanOrder,
  | "url"
  | "spec"
  | "identities"
  | "mode"
  | "resumption"
  | "include"
  | "exclude"
  | "pins"
  | "limits"
  | "extraCa"
>;
export type ConnectDeps = Pick<TransportDeps, "signal" | "now" | "today" | "wait"> & {
  /** Told of each write of an active scan before it is sent, and of each change. */
  readonly onWrite?: ((write: NotedWrite) => void) | undefined;
};

/** Sends nothing yet. */
export function connect(order: ConnectOrder, deps: ConnectDeps): Connection {
  const selection = selectionOf(order);
  const isActive = order.mode === "active";
  const journal = isActive ? journalFor(order) : undefined;
  const writes = new WriteLedger(journal);
  const limits = isActive ? divided(order.limits) : { scan: order.limits, cleanUp: order.limits };
  const callers =
    order.identities || isActive
      ? new Callers(order.identities ?? [], { target: new URL(order.url), now: deps.now })
      : undefined;
  const masked = <Data>(data: Data): Data => callers?.mask.maskQuotes(data) ?? data;
  const { onWrite } = deps;
  if (journal && onWrite) journal.onChange = tellChanges(journal, (noted) => onWrite(masked(noted)));
  const create = (limits: ScanOrder["limits"], signal: AbortSignal) =>
    createTransport({
      order: { ...order, limits },
      writes,
      filter: selection,
      ...(callers && { callers }),
      ...deps,
      signal,
    });
  const transport = create(limits.scan, deps.signal);
  const admitted = unfiltered(transport);
  const transmit = (request: ProbeRequest) => transport.send(request, { share: false });
  return {
    transport,
    writes,
    selection,
    get callers() {
      return callers?.all ?? [];
    },
    get sessions() {
      return callers?.disposableBy(admitted, deps.wait ?? after) ?? NO_SESSIONS;
    },
    signIn: async () => callers?.signIn(admitted),
    addCaller: {
      signIn: async (identity) => (await callers?.add(identity, transmit)) ?? false,
      hide: (secret) => callers?.mask.add([secret]),
    },
    signInAgain: async (through) => callers?.signInAgain(unfiltered(through)),
    forCleanUp: () => create(limits.cleanUp, AbortSignal.timeout(limits.cleanUp.deadlineSeconds * 1_000)),
    masked,
  };
}

/** Whoever gave an identity wants it to sign in. */
const unfiltered = (through: Transport) => (request: ProbeRequest) =>
  through.send(request, { share: false, filters: "none" });

/** The journal of this attempt, with the writes of earlier ones. */
function journalFor({ resumption }: Pick<ScanOrder, "resumption">): WriteJournal {
  const { seed = randomBytes(32).toString("hex"), writes = [] } = resumption ?? {};
  return new WriteJournal(markerOf(seed), seed, writes);
}
