import type { CallerGate } from "./caller-gate.ts";
import { isSafe, mayWrite, type ProbeRequest, type ProbeResponse } from "./exchange.ts";
import { Gate } from "./gate.ts";
import { HttpClient } from "./http-client.ts";
import { LostConnections } from "./lost-connections.ts";
import { isLost } from "./network-error.ts";
import { retryAfterSeconds } from "./pace.ts";
import { retrying } from "./retries.ts";
import type { Scope } from "./scope.ts";
import type { SendOnceOptions, TrialDeps } from "./trial.ts";
import type { WriteGate } from "./write-gate.ts";

export interface SenderDeps extends Pick<TrialDeps, "now" | "wait"> {
  readonly scope: Scope;
  readonly signal: AbortSignal;
  readonly today: () => Date;
  /** Method and path template of a request, what rate limits and crashes are ascribed to. */
  readonly routeOf: (request: ProbeRequest) => string;
  /** Called before each time that a request is sent; throws where no more may be. */
  readonly spend: () => void;
  /** Throws where no more may be sent, before a write is noted that would not be. */
  readonly assertLeft: () => void;
  readonly writes: Pick<WriteGate, "once" | "mayRepeat">;
  readonly callers: CallerGate;
  readonly onResponse: (response: ProbeResponse) => void;
}

/** Sends requests at the pace of the target, those that were throttled again, and those whose connection was lost. */
export function createSender(deps: SenderDeps) {
  const { scope, signal, now, today, wait, routeOf, writes, callers } = deps;
  const client = new HttpClient(scope);
  const gate = new Gate(now);
  signal.addEventListener("abort", () => gate.close(), { once: true });

  const sendOnce = async (request: ProbeRequest, { maxBodyBytes, fresh }: SendOnceOptions = {}) => {
    const options = { signal, now, ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }) };
    const own = fresh ? new HttpClient(scope) : undefined;
    try {
      const transmit = (sent: ProbeRequest) => {
        deps.spend();
        return (own ?? client).exchange(sent, options);
      };
      const exchange = () => callers.exchange(request, transmit, routeOf(request));
      if (mayWrite(request)) deps.assertLeft();
      const response = await (mayWrite(request) ? writes.once(request, exchange) : exchange());
      deps.onResponse(response);
      return response;
    } finally {
      await own?.close();
    }
  };
  const watchConnections = () => client.watchConnections();
  const mayRepeat = (request: ProbeRequest) => isSafe(request) || writes.mayRepeat(request);
  const ofLosses = { gate, now, routeOf, wait, mayRepeat, watchConnections, send: sendOnce };
  const lostConnections = new LostConnections(ofLosses);
  return {
    lostConnections,
    isPaused: (route: string) => gate.isPaused(route),
    send(
      request: ProbeRequest,
      { maxBodyBytes, retry }: { maxBodyBytes?: number; retry?: boolean },
    ): Promise<ProbeResponse> {
      const path = routeOf(request);
      const pass = () =>
        gate.pass(path, () => lostConnections.send(request, { maxBodyBytes }), {
          observe: (response, error) => observationOf(response, error, today()),
          afterLoss: (error) => lostConnections.explain(error, request, { maxBodyBytes }),
        });
      return retrying(pass, { gate, path, retry });
    },
    async close(): Promise<void> {
      gate.close();
      await client.close();
    },
  };
}

/** What the pace follows from. */
const observationOf = (response: ProbeResponse | undefined, error: unknown, today: Date) => ({
  status: response?.status ?? 0,
  elapsedMs: response?.elapsedMs ?? 0,
  retryAfterSeconds: retryAfterSeconds(response?.headers["retry-after"], today),
  isLost: isLost(error),
});
