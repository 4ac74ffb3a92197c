import type { Logger } from "pino";
import type { Call } from "../http/call.ts";
import type { Metrics } from "./metrics.ts";

export interface RequestLogDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly logEveryRequest: boolean;
}

const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"]);

/** Measures and logs an answered request: its path template, never its query, key or body. */
export function createRequestLog({ logger, metrics, logEveryRequest }: RequestLogDeps): Call["ended"] {
  return (call, req, status) => {
    const ms = performance.now() - call.startedAt;
    const method = KNOWN_METHODS.has(req.method) ? req.method : "OTHER";
    metrics.observeRequest({ method, route: call.route, status }, ms / 1000);
    if (!logEveryRequest && status < 400) return;
    const line = {
      method,
      route: call.route,
      status,
      ms: Math.round(ms * 10) / 10,
      requestId: call.requestId,
      account: call.holder?.account.id,
    };
    if (status >= 500) logger.error(line, "request");
    else logger.info(line, "request");
  };
}

/** What may be written about a failure that nobody foresaw: its kind and where it arose; messages can hold data. */
export function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error };
  const frame = /\n\s+at .*?([\w.-]+\.[cm]?[jt]s:\d+:\d+)/.exec(error.stack ?? "")?.[1];
  const cause = error.cause instanceof Error ? describeFault(error.cause) : undefined;
  return { error: error.name, code: (error as { code?: unknown }).code, at: frame, cause };
}
