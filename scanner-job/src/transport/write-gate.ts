import type { ProbeRequest, ProbeResponse } from "./exchange.ts";

/** Decides about each request whose method may write. */
export interface WriteGate {
  /**
   * Sends the request, and another before it where one is needed, or neither.
   * @throws NetworkError `write_refused` where it must not be sent
   */
  pass(
    request: ProbeRequest,
    send: (request: ProbeRequest) => Promise<ProbeResponse>,
  ): Promise<ProbeResponse>;
  /**
   * Transmits the request once and judges the response. One request may be transmitted several times: again after 429, or to find
   * out why its connection was lost.
   * @throws NetworkError `write_refused` where it may not be transmitted (again)
   */
  once(request: ProbeRequest, transmit: () => Promise<ProbeResponse>): Promise<ProbeResponse>;
  /** Whether a request that was transmitted may be transmitted again. */
  mayRepeat(request: ProbeRequest): boolean;
}
