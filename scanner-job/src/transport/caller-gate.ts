import { ANONYMOUS } from "@glovebox/contract";
import type { ProbeRequest, ProbeResponse } from "./exchange.ts";

/** Sends each request as its caller. */
export interface CallerGate {
  /** The caller of requests that name none. */
  readonly baseline: string;
  /**
   * Transmits the request with the credentials of its caller, again with new ones if they were refused. The response is one to the
   * request as it was given, and holds no secret. A `route` (method and path template) at which new credentials did not help is not
   * asked again with others.
   */
  exchange(
    request: ProbeRequest,
    transmit: (request: ProbeRequest) => Promise<ProbeResponse>,
    route: string,
  ): Promise<ProbeResponse>;
}

/** All requests are sent without credentials. */
export const ANONYMOUS_ONLY: CallerGate = {
  baseline: ANONYMOUS,
  exchange: (request, transmit) => transmit(request),
};
