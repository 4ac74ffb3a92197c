import type { Principal, Session } from "@glovebox/store";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { RateState } from "../limits/rate-limit.ts";
import type { ApiMetrics } from "../observability.ts";

/** The state of one request until its response is sent. */
export interface RequestContext {
  readonly requestId: string;
  /** Of the client, in its normal form; undefined: not known. */
  readonly address: string | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** The route's path template; `unmatched` until a route is found. */
  route: string;
  rate: RateState;
  /** Set once the API key has been accepted. */
  principal: Principal | undefined;
  /**
   * Whether the key that was accepted still would be: of requests that are held. @throws ApiError `unauthorized` or `forbidden`
   */
  recheckAccess: () => Promise<void>;
  /** Set where the path requires a session and the request has one. */
  session: Session | undefined;
  /** Called once, with the status, when the response is written (499: the client closed the connection first). */
  readonly onResponse: (context: RequestContext, request: Request, status: number) => void;
  /** True during a shutdown: the response closes its connection. */
  readonly isClosing: () => boolean;
}

export type ApiRequest = Request;
export type ApiResponse = Response<unknown, { context: RequestContext }>;

const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"]);

/** Records metrics and logs a request: its path template, never its query, key or body. */
export function createRequestLog({
  logger,
  metrics,
  logEveryRequest,
}: {
  readonly logger: Logger;
  readonly metrics: Pick<ApiMetrics, "observeRequest">;
  readonly logEveryRequest: boolean;
}): RequestContext["onResponse"] {
  return (context, req, status) => {
    const ms = performance.now() - context.startedAt;
    const method = KNOWN_METHODS.has(req.method) ? req.method : "OTHER";
    metrics.observeRequest({ method, route: context.route, status }, ms / 1000);
    if (!logEveryRequest && status < 400) return;
    const line = {
      method,
      route: context.route,
      status,
      ms: Math.round(ms * 10) / 10,
      requestId: context.requestId,
      account: context.principal?.account.id,
      user: context.session?.user.id,
    };
    if (status >= 500) logger.error(line, "request");
    else logger.info(line, "request");
  };
}
