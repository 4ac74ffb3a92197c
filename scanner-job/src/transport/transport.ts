import { setTimeout as after } from "node:timers/promises";
import type { ScanOrder } from "@glovebox/contract";
import { mayWrite, type ProbeRequest, type ProbeResponse } from "./exchange.ts";
import type { LostConnections } from "./lost-connections.ts";
import { networkError } from "./network-error.ts";
import { ResponseCache } from "./response-cache.ts";
import { ResponseBudget } from "./response-budget.ts";
import { createScope, type Scope } from "./scope.ts";
import { createSender } from "./sender.ts";
import { ANONYMOUS_ONLY, type CallerGate } from "./caller-gate.ts";
import type { AppliedFilters, RequestFilter } from "./request-filter.ts";
import type { WriteGate } from "./write-gate.ts";
import { handshake, offerKey, type Handshake, type HandshakeOffer } from "./tls-handshake.ts";

export interface SendOptions {
  /** Responses are shared within a pass: 1 is the first examination, 2 repeats failures. */
  readonly pass?: 1 | 2;
  /** false bypasses the cache, as bursts must. */
  readonly share?: boolean;
  readonly maxBodyBytes?: number;
  /** false returns 429 as it is; other requests are sent again after the pause. */
  readonly retry?: boolean;
  /** Which filters of the order the request is held to. Default: all. */
  readonly filters?: AppliedFilters;
  /** Called before a request is sent that shares its response with no other; what it throws keeps the request from being sent. */
  readonly admit?: () => void;
}

/** The only connection of the scanner to its target: enforces scope, harmlessness, budget, pace, byte limits and deadline. */
export interface Transport {
  /** @throws NetworkError */
  send(request: ProbeRequest, options?: SendOptions): Promise<ProbeResponse>;
  /** @throws NetworkError */
  handshake(url: URL, offer?: HandshakeOffer, options?: Pick<SendOptions, "pass">): Promise<Handshake>;
  readonly requestsSent: number;
  /** Sets how many requests may be sent, together with those that were. */
  readonly allow: (requests: number) => void;
  /** The caller of requests that name none. */
  readonly baselineCaller: string;
  /** Reads that the target throttled (429) at some time of the scan, the latest first; at most `MAX_THROTTLED`. */
  readonly throttled: readonly ProbeRequest[];
  /** Takes what tells the route of a request, to which rate limits and crashes are ascribed: method and path until then. */
  learnRoutes(routeOf: (request: ProbeRequest) => string): void;
  /** Whether requests to the route wait because of its rate limit. */
  isPaused(route: string): boolean;
  /** Requests that crash the target. */
  readonly lostConnections: Pick<LostConnections, "suspects" | "isExhausted" | "findCause" | "try">;
  /** Never cuts these few responses, which all others are compared with. */
  keepWhole(responses: readonly ProbeResponse[]): void;
  /** Stops sharing earlier responses: some may be of an outage. */
  forget(): void;
  close(): Promise<void>;
}

const MAX_THROTTLED = 20;

export interface TransportDeps {
  readonly order: Pick<ScanOrder, "pins" | "limits" | "extraCa">;
  readonly writes: WriteGate;
  /** Default: nobody is signed in. */
  readonly callers?: CallerGate;
  /** Unless given, every request is admitted. */
  readonly filter?: RequestFilter;
  /** Aborts when the scan's deadline has passed. */
  readonly signal: AbortSignal;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly today: () => Date;
  /** Resolves after this many milliseconds; default: by the machine's clock. */
  readonly wait?: (ms: number) => Promise<void>;
}

const methodAndPath = ({ method, url }: ProbeRequest): string => `${method} ${new URL(url).pathname}`;

export function createTransport({
  order,
  writes,
  callers = ANONYMOUS_ONLY,
  filter,
  signal,
  now,
  today,
  wait = after,
}: TransportDeps): Transport {
  const scope = createScope(order.pins);
  let routeOf = methodAndPath;
  let responses = cachesOfResponses();
  const kept = new ResponseBudget();
  const throttled: ProbeRequest[] = [];
  const budget = budgetOf(order.limits.maxRequests, signal);
  const handshakes = createHandshakes({ scope, signal, today, spend: () => budget.spend(), ...order });
  const sender = createSender({
    ...{ scope, signal, now, today, wait, writes, callers },
    routeOf: (request) => routeOf(request),
    spend: () => budget.spend(),
    assertLeft: () => budget.assertLeft(),
    onResponse: (response) => (kept.keep(response), noteThrottled(throttled, response)),
  });

  return {
    async send(request, { pass = 1, share = true, admit, filters = "all", ...options } = {}) {
      scope.admit(new URL(request.url));
      filter?.admit(request, filters);
      const sendEach = (each: ProbeRequest) => (each === request && admit?.(), sender.send(each, options));
      const sendNow = () => (mayWrite(request) ? writes.pass(request, sendEach) : sendEach(request));
      return share ? responses[pass].get(requestKey(request, callers.baseline), sendNow) : sendNow();
    },
    handshake: handshakes,
    get baselineCaller() {
      return callers.baseline;
    },
    get requestsSent() {
      return budget.spent;
    },
    throttled,
    allow: budget.allow,
    learnRoutes: (learned) => void (routeOf = learned),
    isPaused: (route) => sender.isPaused(route),
    lostConnections: sender.lostConnections,
    keepWhole: (responses) => kept.pin(responses),
    forget: () => void (responses = cachesOfResponses()),
    close: () => sender.close(),
  };
}

interface HandshakeDeps extends Pick<TransportDeps, "signal" | "today"> {
  readonly scope: Scope;
  readonly extraCa?: string | undefined;
  readonly spend: () => void;
}

/** Handshakes with the same offer are made once in each pass. */
function createHandshakes({ spend, ...deps }: HandshakeDeps): Transport["handshake"] {
  const known = inEachPass(() => new ResponseCache<Handshake>());
  return async (url, offer = {}, { pass = 1 } = {}) => {
    deps.scope.admit(url);
    return known[pass].get(offerKey(url, offer), () => {
      spend();
      return handshake(url, { ...deps, offer, extraCa: deps.extraCa });
    });
  };
}

function budgetOf(maxRequests: number, signal: AbortSignal) {
  let [spent, allowed] = [0, maxRequests];
  const assertLeft = (): void => {
    if (signal.aborted) throw networkError("deadline");
    if (spent >= allowed) throw networkError("budget");
  };
  return {
    spend(): void {
      assertLeft();
      spent++;
    },
    assertLeft,
    allow: (requests: number): void => void (allowed = requests),
    get spent() {
      return spent;
    },
  };
}

const sizeOfResponse = ({ bytes, request }: ProbeResponse): number => bytes + request.url.length;

const cachesOfResponses = () =>
  inEachPass(
    () => new ResponseCache<ProbeResponse>({ sizeOf: sizeOfResponse, isStale: ({ isCut }) => isCut }),
  );

const inEachPass = <Cache>(create: () => Cache) => ({ 1: create(), 2: create() });

/** Puts a read that got 429 before the known ones. */
function noteThrottled(known: ProbeRequest[], { status, request }: ProbeResponse): void {
  if (status !== 429 || request.method !== "GET" || known.some(({ url }) => url === request.url)) return;
  known.unshift(request);
  known.length = Math.min(known.length, MAX_THROTTLED);
}

/** Identifies a request: requests with the same key share one response. */
const requestKey = (
  { method, url, rawPath, headers, body, as }: ProbeRequest,
  baseline: string,
): readonly unknown[] => [
  as ?? baseline,
  method,
  url,
  rawPath,
  Object.entries(headers ?? {})
    .map(String)
    .toSorted(),
  body,
];
