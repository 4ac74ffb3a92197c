import type { Principal } from "@glovebox/store";
import type { Request, Response } from "express";
import type { RateState } from "../limits/rate-limit.ts";

/** What the service knows about one request while it answers it. */
export interface RequestContext {
  readonly requestId: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** The route's path template; `unmatched` until a route is found. */
  route: string;
  rate: RateState;
  /** Set once the API key has been accepted. */
  principal: Principal | undefined;
  /** Called once, with the status, when the response is written (499: the client closed the connection first). */
  readonly onResponse: (context: RequestContext, request: Request, status: number) => void;
  /** True during a shutdown: the response closes its connection. */
  readonly isClosing: () => boolean;
}

export type ApiRequest = Request;
export type ApiResponse = Response<unknown, { context: RequestContext }>;

/** The principal of a request that was authenticated. */
export function principalOf(res: ApiResponse): Principal {
  const { principal } = res.locals.context;
  if (!principal) throw new Error("A route that needs an API key was reached without one");
  return principal;
}
