import type { ScanOrder } from "@glovebox/contract";
import { HttpClient } from "./http-client.ts";
import type { ProbeRequest, Reply } from "./exchange.ts";
import { Gate, retryAfterSeconds } from "./pace.ts";
import { isLost, NetworkError, USED_UP } from "./network-error.ts";
import { retrying } from "./retries.ts";
import { AnswerCache } from "./answer-cache.ts";
import { createScope } from "./scope.ts";
import { handshake, offerKey, type Handshake, type HandshakeOffer } from "./tls-handshake.ts";

export interface SendOptions {
  /** Answers are shared within a pass: 1 is the first examination, 2 repeats failures. */
  readonly pass?: 1 | 2;
  /** false bypasses the cache, as bursts must. */
  readonly share?: boolean;
  readonly maxBodyBytes?: number;
  /** false returns 429 as it is; other requests are sent again after the pause. */
  readonly retry?: boolean;
  /** Called before a request is sent that no other shares its answer with; what it throws keeps the request from being sent. */
  readonly admit?: () => void;
}

/** The only connection of the scanner to its target: enforces scope, budget, pace, byte limits and deadline. */
export interface Transport {
  /** @throws NetworkError */
  send(request: ProbeRequest, options?: SendOptions): Promise<Reply>;
  /** @throws NetworkError */
  handshake(url: URL, offer?: HandshakeOffer, options?: Pick<SendOptions, "pass">): Promise<Handshake>;
  readonly requestsSent: number;
  /** Reads that the target answered with 429 at some time of the scan, the latest first; at most `MAX_THROTTLED`. */
  readonly throttled: readonly ProbeRequest[];
  /** Shares no answer from before any more: some may be of an outage. */
  forget(): void;
  close(): Promise<void>;
}

const MAX_THROTTLED = 20;

export interface TransportDeps {
  readonly order: Pick<ScanOrder, "pins" | "limits" | "extraCa">;
  /** Aborts when the scan's deadline has passed. */
  readonly signal: AbortSignal;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly today: () => Date;
}

export function createTransport({ order, signal, now, today }: TransportDeps): Transport {
  const scope = createScope(order.pins);
  const client = new HttpClient(scope);
  const gate = new Gate(now);
  let replies = inEachPass(sizeOfReply);
  const handshakes = inEachPass((_: Handshake) => 0);
  const throttled: ProbeRequest[] = [];
  const budget = budgetOf(order.limits.maxRequests, signal);
  signal.addEventListener("abort", () => gate.close(), { once: true });

  const observe = (reply: Reply | undefined, error: unknown) => ({
    ...observationOf(reply, today()),
    isLost: isLost(error),
  });
  const transmit = retrying(today, (request, maxBodyBytes) =>
    gate.pass(async () => {
      budget.spend();
      const size = maxBodyBytes === undefined ? {} : { maxBodyBytes };
      const reply = await client.exchange(request, { signal, now, ...size });
      noteThrottled(throttled, reply);
      return reply;
    }, observe),
  );

  return {
    async send(request, { pass = 1, share = true, admit, ...options } = {}) {
      scope.admit(new URL(request.url));
      const sendNow = () => (admit?.(), transmit(request, options));
      return share ? replies[pass].get(requestKey(request), sendNow) : sendNow();
    },
    async handshake(url, offer = {}, { pass = 1 } = {}) {
      scope.admit(url);
      return handshakes[pass].get(offerKey(url, offer), () => {
        budget.spend();
        return handshake(url, { scope, offer, signal, extraCa: order.extraCa, today });
      });
    },
    get requestsSent() {
      return budget.spent;
    },
    throttled,
    forget() {
      replies = inEachPass(sizeOfReply);
    },
    async close() {
      gate.close();
      await client.close();
    },
  };
}

function budgetOf(maxRequests: number, signal: AbortSignal) {
  let spent = 0;
  return {
    spend(): void {
      if (signal.aborted) throw new NetworkError("deadline", USED_UP.time);
      if (spent >= maxRequests) throw new NetworkError("budget", USED_UP.requests);
      spent++;
    },
    get spent() {
      return spent;
    },
  };
}

const sizeOfReply = ({ body, request }: Reply): number => body.length + request.url.length;

const inEachPass = <Answer>(sizeOf: (answer: Answer) => number) => ({
  1: new AnswerCache(sizeOf),
  2: new AnswerCache(sizeOf),
});

/** Puts a read that was answered with 429 before those known. */
function noteThrottled(known: ProbeRequest[], { status, request }: Reply): void {
  if (status !== 429 || request.method !== "GET" || known.some(({ url }) => url === request.url)) return;
  known.unshift(request);
  known.length = Math.min(known.length, MAX_THROTTLED);
}

/** Identifies a request: requests with the same key share one answer. */
const requestKey = ({ method, url, rawPath, headers, body }: ProbeRequest): readonly unknown[] => [
  method,
  url,
  rawPath,
  Object.entries(headers ?? {})
    .map(String)
    .toSorted(),
  body,
];

const observationOf = (reply: Reply | undefined, now: Date) => ({
  status: reply?.status ?? 0,
  elapsedMs: reply?.elapsedMs ?? 0,
  retryAfterSeconds: retryAfterSeconds(reply?.headers["retry-after"], now),
});
