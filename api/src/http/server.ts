import { randomUUID } from "node:crypto";
import { IncomingMessage, STATUS_CODES, ServerResponse, createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ERRORS, type ErrorCode } from "@glovebox/contract";
import type { Express } from "express";
import type { Application } from "./app.ts";
import { countClient } from "../limits/client-network.ts";
import type { RateCounter, RateState } from "../limits/rate-limit.ts";
import type { ApiMetrics } from "../observability.ts";
import { ADDRESS_LIMIT_EXCEEDED } from "./access-control.ts";
import { errorJson, standardHeaders } from "./respond.ts";

const MAX_HEADER_BYTES = 16 * 1024;
/** Longer than the idle timeout of common proxies (60 s), so that the proxy closes idle connections. */
const KEEP_ALIVE_MS = 75_000;

export interface ServerTimeouts {
  /** Until the headers of a request are complete, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** Until a request with its body is complete, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** A node:http server whose limits end slow and oversized requests; it is not listening yet. */
export function createHttpServer(
  { express, handler }: Application,
  { headersTimeoutMs, requestTimeoutMs }: ServerTimeouts,
): Server {
  const server = createServer(
    {
      ...messageClasses(express),
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
      // A missing Host is refused in app.ts, with the standard headers.
      requireHostHeader: false,
    },
    handler,
  );
  // `100 Continue` is sent when the body is read, so that a refused request does not send it.
  server.on("checkContinue", handler);
  server.on("checkExpectation", handler);
  return server;
}

/**
 * Classes of requests and responses with the prototypes of the application. Express sets the prototype of every request and
 * response, after which V8 reads their properties slowly; setting the prototype that they have already changes nothing.
 */
function messageClasses(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Resolves when the server listens; rejects when it cannot. */
export function startServer(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Stops accepting connections and waits for open requests; the rest is closed after `withinMs`. */
export async function stopServer(server: Server, withinMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(timer);
}

export interface MalformedDeps {
  readonly counter: RateCounter;
  readonly addressLimit: number;
  readonly now: () => Date;
  readonly metrics: ApiMetrics;
}

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "The headers are too large.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request was not complete in time.",
};

/** Responds to what node:http does not parse into a request: invalid HTTP, oversized headers, slow clients, CONNECT. */
export function rejectMalformed(server: Server, deps: MalformedDeps): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const message = MESSAGES[error.code ?? ""] ?? "The request is not valid HTTP/1.1.";
    if (error.code === "ECONNRESET" || !socket.writable || hasBegunResponse(socket)) socket.destroy();
    else void respondMalformed(deps, socket, { code: "invalid_request", message });
  });
  server.on("connect", (_req, socket) => {
    socket.on("error", () => undefined);
    void respondMalformed(deps, socket, {
      code: "method_not_allowed",
      message: "CONNECT is not supported.",
      allow: true,
    });
  });
}

interface MalformedResponse {
  readonly code: ErrorCode;
  readonly message: string;
  readonly allow?: boolean;
}

async function respondMalformed(
  deps: MalformedDeps,
  socket: Duplex,
  refusal: MalformedResponse,
): Promise<void> {
  const { counter, addressLimit, now, metrics } = deps;
  const address = (socket as Socket).remoteAddress;
  const rate = await countClient(counter, { address }, { limit: addressLimit, now: now() });
  const effective: MalformedResponse = rate.exceeded
    ? { code: "rate_limit_exceeded", message: ADDRESS_LIMIT_EXCEEDED }
    : refusal;
  metrics.observeRequest({ method: "OTHER", route: "malformed", status: ERRORS[effective.code].status }, 0);
  if (socket.writable) socket.end(rawResponse(effective, rate), () => socket.destroy());
}

function rawResponse({ code, message, allow }: MalformedResponse, rate: RateState): string {
  const { status } = ERRORS[code];
  const body = errorJson({ code, message });
  const flat = standardHeaders({ requestId: randomUUID(), rate });
  const lines = flat.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${flat[index + 1]}`] : []));
  if (allow) lines.push("Allow: GET, HEAD, POST, DELETE");
  if (rate.exceeded) lines.push(`Retry-After: ${rate.retryAfter}`);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...lines,
    "Cache-Control: no-store",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

// After a partly written response there can be no other one.
const hasBegunResponse = (socket: Duplex): boolean =>
  (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent === true;
