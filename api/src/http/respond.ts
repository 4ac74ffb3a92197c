import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable, pipeline } from "node:stream";
import { ApiError, ERRORS, type ErrorBody } from "@glovebox/contract";
import { StoreExhausted, StoreUnavailable, StoreUnusable, UnstorableValue } from "@glovebox/store";
import { PackedBody, sentBody } from "./packed-body.ts";
import type { ApiResponse, RequestContext } from "./request-context.ts";

export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** JSON, unless the headers name another Content-Type. */
  readonly body?: string | Buffer | PackedBody | undefined;
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[] | undefined;
}

/** On every response. */
const FIXED_HEADERS = ["X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer"] as const;

/**
 * Writes the response. All responses are written here, so that none lacks the standard headers (docs/specification.md, "Limits").
 */
export function respond(res: ApiResponse, response: HttpResponse): void {
  if (res.headersSent || res.destroyed) return;
  const { context } = res.locals;
  const unread = hasUnreadBody(res.req);
  const { headers, body } = encoded(response, res.req);
  const lines = standardHeaders(context);
  addResponseHeaders(lines, { ...response, headers });
  if (unread || context.isClosing()) lines.push("Connection", "close");

  res.writeHead(response.status, lines);
  if (body instanceof Readable) streamAndEnd(res, body, unread);
  else if (unread) drainAndEnd(res, body);
  else res.end(body);
  responded(res, response.status);
}

function encoded({ body, headers }: HttpResponse, req: IncomingMessage) {
  if (body instanceof PackedBody) {
    const sent = sentBody(body, req);
    return { body: sent.body, headers: { ...headers, ...sent.headers } };
  }
  if (body === undefined) return { body, headers };
  return { body, headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) } };
}

/** As a flat list of names and values, which node:http writes without building an object. */
export function standardHeaders({ requestId, rate }: Pick<RequestContext, "requestId" | "rate">): string[] {
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

export const jsonResponse = (value: unknown): HttpResponse => ({ status: 200, body: JSON.stringify(value) });

/** Reports the status of the response, also of one that `respond` did not write. */
export function responded(res: ApiResponse, status: number): void {
  const { context } = res.locals;
  context.onResponse(context, res.req, status);
}

function addResponseHeaders(lines: string[], { headers, body, cookies = [] }: HttpResponse): void {
  if (body !== undefined && !headers?.["Content-Type"])
    lines.push("Content-Type", "application/json; charset=utf-8");
  if (!headers?.["Cache-Control"]) lines.push("Cache-Control", "no-store");
  for (const name in headers) lines.push(name, headers[name]!);
  for (const cookie of cookies) lines.push("Set-Cookie", cookie);
}

function hasUnreadBody(req: IncomingMessage): boolean {
  if (req.complete) return false;
  const length = req.headers["content-length"];
  return req.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** A body that breaks off closes the connection, which shows the client that it is incomplete. */
function streamAndEnd(res: ServerResponse, body: Readable, unread: boolean): void {
  if (res.req.method === "HEAD") {
    body.destroy();
    res.end();
  } else if (unread) {
    res.once("close", () => body.destroy());
    body.once("error", () => res.destroy());
    body.once("end", () => drainAndEnd(res, undefined)).pipe(res, { end: false });
  } else pipeline(body, res, () => undefined);
}

const DRAIN_MS = 1_000;
const DRAIN_BYTES = 1024 * 1024;

/**
 * Ends the response to a request whose body was not read. Closing the connection while the client still sends would reset it,
 * and the client could lose the response. Therefore a bounded part of the body is drained first.
 */
function drainAndEnd(res: ServerResponse, body: string | Buffer | undefined): void {
  const { req } = res;
  let bytes = 0;
  const timer = setTimeout(finish, DRAIN_MS).unref();
  function finish(): void {
    clearTimeout(timer);
    req.off("data", count);
    res.end();
  }
  function count(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > DRAIN_BYTES) finish();
  }

  if (body !== undefined) res.write(body);
  else res.flushHeaders();
  req.on("data", count);
  req.once("end", finish);
  req.once("close", finish);
  req.on("error", () => undefined);
}

/** Header of responses after which the client should retry or poll, in seconds. */
export const RETRY_AFTER = { "Retry-After": "5" };

/** The response to an error. For an unexpected error it contains only the request id. */
export function errorResponse(error: unknown, requestId: string): HttpResponse & { readonly body: string } {
  const shown = asApiError(error, requestId);
  return { status: ERRORS[shown.code].status, headers: shown.headers, body: errorJson(shown) };
}

/** True for errors that are logged as faults: all without an error code, and a database that an operator must repair. */
export const isUnexpected = (error: unknown): boolean =>
  error instanceof StoreUnusable || error instanceof StoreExhausted || expectedError(error) === undefined;

export function errorJson({
  code,
  message,
  field,
}: Pick<ApiError, "code" | "message"> & Partial<Pick<ApiError, "field">>): string {
  const body: ErrorBody = { error: { code, message, ...(field !== undefined && { field }) } };
  return JSON.stringify(body);
}

/** What clients are told of an error. */
export const asApiError = (error: unknown, requestId: string): ApiError =>
  expectedError(error) ?? new ApiError("internal", `The service failed; the request id is ${requestId}.`);

/** What clients are told of an error that is not a fault of the service; undefined for a fault. */
export function expectedError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable)
    return new ApiError("unavailable", "The database is not available; try again shortly.", {
      headers: RETRY_AFTER,
    });
  // What the schemas of the inputs should have refused by its name.
  if (error instanceof UnstorableValue)
    return new ApiError(
      "invalid_request",
      "The request contains a character, a date or a number that cannot be stored.",
    );
  return isUndecodablePath(error) ? new ApiError("not_found", "No such path.") : undefined;
}

// Express refuses a path parameter with a malformed percent-encoding in this way.
const isUndecodablePath = (error: unknown): boolean =>
  error instanceof URIError && (error as { status?: unknown }).status === 400;
