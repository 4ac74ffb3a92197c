import type { IncomingMessage } from "node:http";
import type { RateState } from "../limits/rate-state.ts";
import type { ApiResponse, Call } from "./call.ts";
import { lingeringEnd } from "./linger.ts";

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** JSON, unless the headers name another Content-Type. */
  readonly body?: string | Buffer | undefined;
}

/** On every answer, whatever it is. */
const FIXED_HEADERS = ["X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer"] as const;

/** The only place that answers a request: so no answer is without its headers (docs/specification.md, "Limits"). */
export function respond(res: ApiResponse, reply: Reply): void {
  if (res.headersSent || res.destroyed) return;
  const { call } = res.locals;
  const unread = hasUnreadBody(res.req);
  const lines = standardHeaders(call.requestId, call.rate);
  addReplyHeaders(lines, reply);
  if (unread || call.closing()) lines.push("Connection", "close");

  res.writeHead(reply.status, lines);
  if (unread) lingeringEnd(res, reply.body);
  else res.end(reply.body);
  call.ended(call, res.req, reply.status);
}

/** As a flat list of names and values, which node:http writes without building an object. */
export function standardHeaders(requestId: string, rate: RateState): string[] {
  return [
    "X-Request-Id",
    requestId,
    "X-RateLimit-Limit",
    String(rate.limit),
    "X-RateLimit-Remaining",
    String(rate.remaining),
    "X-RateLimit-Reset",
    String(rate.resetAt),
    ...FIXED_HEADERS,
  ];
}

/** Answers JSON. */
export const respondJson = (res: ApiResponse, value: unknown, headers?: Record<string, string>): void =>
  respond(res, { status: 200, headers, body: JSON.stringify(value) });

/** Told when a stream of its own, not `respond`, has answered. */
export function respondedBy(res: ApiResponse, status: number): void {
  const call: Call = res.locals.call;
  call.ended(call, res.req, status);
}

function addReplyHeaders(lines: string[], { headers, body }: Reply): void {
  if (body !== undefined) {
    lines.push("Content-Length", String(Buffer.byteLength(body)));
    if (!headers?.["Content-Type"]) lines.push("Content-Type", "application/json; charset=utf-8");
  }
  if (!headers?.["Cache-Control"]) lines.push("Cache-Control", "no-store");
  for (const name in headers) lines.push(name, headers[name]!);
}

function hasUnreadBody(req: IncomingMessage): boolean {
  if (req.complete) return false;
  const length = req.headers["content-length"];
  return req.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}
