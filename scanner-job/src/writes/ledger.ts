import type { Location } from "@glovebox/contract";
import { fitsTemplate, shapeOf, templateOf } from "../inventory/discovery/path-template.ts";
import type { Operation } from "../inventory/operation.ts";
import { isActiveWrite, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { NetworkError, type NetworkErrorKind } from "../transport/network-error.ts";
import type { WriteGate } from "../transport/write-gate.ts";
import { carefulWrite, wrongAttempt } from "./careful-write.ts";
import type { WriteJournal } from "./journal.ts";
import { OwnWrites } from "./own-writes.ts";
import {
  afterNoResponse,
  afterWrite,
  CLOSED,
  decide,
  MAX_WITHOUT_RESPONSE,
  UNTRIED,
  type NoResponse,
  type WriteState,
} from "./policy.ts";

/** A write that may have been stored. */
export interface StoredWrite {
  readonly location: Location;
  /** The operation, where it is known. */
  readonly operation: Operation | undefined;
  readonly request: ProbeRequest;
  /** Undefined where none came. */
  readonly response: ProbeResponse | undefined;
}

/** Of a request that may have arrived. */
const NO_RESPONSE: Partial<Record<NetworkErrorKind, NoResponse>> = {
  reset: "lost",
  protocol: "lost",
  timeout: "timed out",
};

type Send = Parameters<WriteGate["pass"]>[1];

/** All writes of a scan, those to one operation one after the other: several in flight could all be stored. */
export class WriteLedger implements WriteGate {
  readonly #accounts = new Map<string, Account>();
  readonly #routes = new Map<string, Route>();
  /** The accounts of the requests that the ledger itself sends before others. */
  readonly #insteadOf = new WeakMap<ProbeRequest, Account>();
  readonly #accepted: StoredWrite[] = [];
  #operations: readonly Operation[] = [];
  #deletions: readonly Operation[] = [];
  /** Of an active scan. */
  readonly journal: WriteJournal | undefined;

  readonly #own: OwnWrites | undefined;

  constructor(journal?: WriteJournal) {
    this.journal = journal;
    this.#own = journal && new OwnWrites(journal);
  }

  /**
   * The operations of the target from now on; the list may grow. Of those that are never called, an active scan uses deletions for its
   * clean-up.
   */
  know(operations: readonly Operation[], neverCalled: readonly Operation[] = []): void {
    this.#operations = operations;
    this.#deletions = neverCalled.filter(({ facts }) => facts.method === "DELETE");
  }

  get operations(): readonly Operation[] {
    return [...this.#operations, ...this.#deletions];
  }

  /** What may have been stored: what was accepted, in order, and what got no response. */
  get stored(): readonly StoredWrite[] {
    const withoutResponse = [...this.#accounts.values()].flatMap((account): StoredWrite[] => {
      const { operation, location, state, withoutResponse: request } = account;
      return request && state.withoutResponse > 0
        ? [{ location, operation, request, response: undefined }]
        : [];
    });
    return [...this.#accepted, ...withoutResponse];
  }

  /** Operations whose first write was refused, with the response; once for each caller. */
  get refusals(): readonly (readonly [Operation, ProbeResponse])[] {
    return [...this.#accounts.values()].flatMap(({ operation, state, refusal }) =>
      operation && refusal && state.phase === "refused" ? [[operation, refusal] as const] : [],
    );
  }

  async pass(request: ProbeRequest, send: Send): Promise<ProbeResponse> {
    const account = this.#accountOf(request);
    const { route } = account;
    const write = (): Promise<ProbeResponse> => this.#write(account, request, send);
    const { form } = request;
    const isParallel = form?.kind === "own-object" && form.parallel === true;
    if (isParallel || (account.state.phase === "reads" && !isActiveWrite(request))) return write();
    const written = route.last.then(write, write);
    route.last = written.catch(() => {});
    return written;
  }

  async #write(account: Account, request: ProbeRequest, send: Send): Promise<ProbeResponse> {
    const facts = account.operation?.facts;
    if (this.#own && isActiveWrite(request)) {
      this.#own.admit(request, account.operation, this.operations);
      return send(request);
    }
    if (account.route.isClosed) throw new NetworkError("write_refused", CLOSED);
    const decision = decide(account.state, { request, facts });
    if (decision === "send") return send(request);
    if (typeof decision === "object") throw new NetworkError("write_refused", decision.refused);
    const careful =
      decision === "careful write first" ? carefulWrite(request, facts) : wrongAttempt(account.operation!);
    const before = { ...careful, ...(request.as !== undefined && { as: request.as }) };
    this.#insteadOf.set(before, account);
    await send(before);
    return this.#write(account, request, send);
  }

  async once(request: ProbeRequest, transmit: () => Promise<ProbeResponse>): Promise<ProbeResponse> {
    const account = this.#accountOf(request);
    if (this.#own && isActiveWrite(request)) {
      const { operation, location } = account;
      return this.#own.once(request, { operation, location, operations: this.operations }, transmit);
    }
    if (account.route.isClosed) throw new NetworkError("write_refused", CLOSED);
    try {
      const response = await transmit();
      this.#note(account, request, response);
      return response;
    } catch (error) {
      const kind = error instanceof NetworkError ? NO_RESPONSE[error.kind] : undefined;
      if (kind) this.#noteNoResponse(account, request, kind);
      throw error;
    }
  }

  mayRepeat(request: ProbeRequest): boolean {
    return !isActiveWrite(request) && !this.#accountOf(request).route.isClosed;
  }

  #note(account: Account, request: ProbeRequest, response: ProbeResponse): void {
    const { operation, location } = account;
    const before = account.state;
    const { state, mayBeStored } = afterWrite(before, { request, facts: operation?.facts }, response);
    account.state = state;
    account.route.isClosed ||= state.phase === "closed";
    if (before.phase === "untried" && state.phase === "refused") account.refusal = response;
    if (mayBeStored) this.#accepted.push({ location, operation, request, response });
  }

  #noteNoResponse(account: Account, request: ProbeRequest, kind: NoResponse): void {
    const before = account.state;
    account.state = afterNoResponse(before, request, kind);
    const { route, state } = account;
    if (state.withoutResponse > before.withoutResponse) {
      account.withoutResponse = request;
      route.withoutResponse += 1;
    }
    route.isClosed ||= state.phase === "closed" || route.withoutResponse >= MAX_WITHOUT_RESPONSE;
  }

  #accountOf(request: ProbeRequest): Account {
    const own = this.#insteadOf.get(request);
    if (own) return own;
    const { key: routeKey, location, operation } = this.#addresseeOf(request);
    const key = `${routeKey} ${request.as ?? ""}`;
    const known = this.#accounts.get(key);
    const route = this.#routes.get(routeKey) ?? {
      isClosed: false,
      withoutResponse: 0,
      last: Promise.resolve(),
    };
    this.#routes.set(routeKey, route);
    // What was written to before it was known keeps its history.
    if (known && operation && !known.operation) Object.assign(known, { operation, location });
    const account: Account = known ?? {
      operation,
      location,
      state: UNTRIED,
      route,
    };
    this.#accounts.set(key, account);
    return account;
  }

  /** The operation that a request is for: by its path, and of those that share one by what the body names. */
  #addresseeOf(request: ProbeRequest): Addressee {
    const { method, url, form } = request;
    const { pathname } = new URL(url);
    if (form?.kind === "no-path")
      return { key: `${method} no path`, location: { method, path: pathname }, operation: undefined };
    const there = (isActiveWrite(request) ? this.operations : this.#operations)
      .filter(({ location }) => fitsTemplate(pathname, location.path))
      .toSorted((a, b) => parametersIn(a) - parametersIn(b));
    const operation = there.find((each) => each.facts.method === method && isNamedIn(request, each));
    const path = operation?.location.path ?? there[0]?.location.path ?? templateOf(pathname).path;
    const location = operation?.location ?? { method, path };
    return { key: `${method} ${shapeOf(path)} ${location.parameter ?? ""}`, location, operation };
  }
}

interface Addressee {
  readonly key: string;
  readonly location: Location;
  readonly operation: Operation | undefined;
}

/** The writes of one caller to one operation: what refuses one may accept another. */
interface Account {
  operation: Operation | undefined;
  location: Location;
  state: WriteState;
  refusal?: ProbeResponse | undefined;
  /** The last write that may have been stored, and got no response. */
  withoutResponse?: ProbeRequest;
  readonly route: Route;
}

/** What the writes of all callers to one operation share: at most one of them may be stored. */
interface Route {
  /** One was accepted, or too many got no response. */
  isClosed: boolean;
  /** Writes that may have been stored, and got no response. */
  withoutResponse: number;
  last: Promise<unknown>;
}

const parametersIn = ({ location }: Operation): number => location.path.split("{").length;

/** Operations of GraphQL and SOAP share a path. */
function isNamedIn(
  { body = "" }: ProbeRequest,
  { facts: { graphqlField, soapOperation } }: Operation,
): boolean {
  const name = graphqlField ?? soapOperation;
  return name === undefined || new RegExp(`\\b${name.replace(/\W/g, "\\$&")}\\b`).test(body);
}
