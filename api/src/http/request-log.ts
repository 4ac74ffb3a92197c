import type { Logger } from "pino";
import type { Metrics } from "../observability/metrics.ts";
import type { RequestContext } from "./request-context.ts";

export interface RequestLogDeps {
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "observeRequest">;
  readonly logEveryRequest: boolean;
}

const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"]);

/** Measures and logs an answered request: its path template, never its query, key or body. */
export function createRequestLog({
  logger,
  metrics,
  logEveryRequest,
}: RequestLogDeps): RequestContext["onResponse"] {
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
    };
    if (status >= 500) logger.error(line, "request");
    else logger.info(line, "request");
  };
}
