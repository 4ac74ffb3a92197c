import type { ScanOrder } from "@glovebox/contract";
import { createAgent } from "./connection.ts";
import type { ProbeRequest, Reply } from "./exchange.ts";
import { Gate } from "./gate.ts";
import { NetworkError } from "./network-error.ts";
import { retryAfterSeconds } from "./pace.ts";
import { ReplyCache } from "./reply-cache.ts";
import { createScope } from "./scope.ts";
import { exchange } from "./send.ts";
import { SharedHandshakes } from "./shared-handshakes.ts";
import { ThrottledReads } from "./throttled-reads.ts";
import { handshake, type Handshake, type HandshakeOffer } from "./tls-handshake.ts";

export interface SendOptions {
  /** Answers are shared within a pass: 1 is the first look, 2 the one that repeats what was found. */
  readonly pass?: 1 | 2;
  /** false sends even what was sent before, as bursts must. */
  readonly share?: boolean;
  readonly maxBodyBytes?: number;
}

/** The scanner's only way to its target: holds scope, budget, pace, byte limits and deadline. */
export interface Transport {
  /** @throws NetworkError */
  send(request: ProbeRequest, options?: SendOptions): Promise<Reply>;
  /** @throws NetworkError */
  handshake(url: URL, offer?: HandshakeOffer, options?: Pick<SendOptions, "pass">): Promise<Handshake>;
  readonly requestsSent: number;
  /** Reads that the target answered with 429 at some time of the scan, the latest first; at most 20. */
  readonly throttled: readonly ProbeRequest[];
  close(): Promise<void>;
}

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
  const agent = createAgent(scope);
  const gate = new Gate(now);
  const throttled = new ThrottledReads();
  const caches = { 1: new ReplyCache(), 2: new ReplyCache() };
  const handshakes = { 1: new SharedHandshakes(), 2: new SharedHandshakes() };
  let requestsSent = 0;
  signal.addEventListener("abort", () => gate.close(), { once: true });

  const spend = (): void => {
    if (signal.aborted) throw new NetworkError("deadline", "The scan's deadline has passed");
    if (requestsSent >= order.limits.maxRequests)
      throw new NetworkError("budget", "The scan's request budget is used up");
    requestsSent++;
  };
  const observe = (reply: Reply | undefined) => observationOf(reply, today());
  const transmit = (request: ProbeRequest, maxBodyBytes: number | undefined): Promise<Reply> =>
    gate.pass(async () => {
      spend();
      const size = maxBodyBytes === undefined ? {} : { maxBodyBytes };
      return throttled.note(await exchange(agent, request, { signal, now, ...size }));
    }, observe);

  return {
    async send(request, { pass = 1, share = true, maxBodyBytes } = {}) {
      scope.admit(new URL(request.url));
      return share
        ? caches[pass].answer(request, () => transmit(request, maxBodyBytes))
        : transmit(request, maxBodyBytes);
    },
    async handshake(url, offer = {}, { pass = 1 } = {}) {
      scope.admit(url);
      return handshakes[pass].get(url, offer, () => {
        spend();
        return handshake(url, { scope, offer, signal, extraCa: order.extraCa, today });
      });
    },
    get requestsSent() {
      return requestsSent;
    },
    get throttled() {
      return throttled.latestFirst;
    },
    async close() {
      gate.close();
      await agent.destroy();
    },
  };
}

const observationOf = (reply: Reply | undefined, now: Date) => ({
  status: reply?.status ?? 0,
  elapsedMs: reply?.elapsedMs ?? 0,
  retryAfterSeconds: retryAfterSeconds(reply?.headers["retry-after"], now),
});
