import type { ProbeRequest, Reply } from "./exchange.ts";

/** Decides about each request whose method may write. */
export interface WriteGate {
  /**
   * Sends the request, and another before it where one is needed, or neither.
   * @throws NetworkError `write_refused` where it must not be sent
   */
  pass(request: ProbeRequest, send: (request: ProbeRequest) => Promise<Reply>): Promise<Reply>;
  /**
   * Transmits the request once and judges the response. One request may be transmitted several times: again after 429, or to find
   * out why its connection was lost.
   * @throws NetworkError `write_refused` where it may not be transmitted (again)
   */
  once(request: ProbeRequest, transmit: () => Promise<Reply>): Promise<Reply>;
  /** Whether a request that was transmitted may be transmitted again. */
  mayRepeat(request: ProbeRequest): boolean;
}
