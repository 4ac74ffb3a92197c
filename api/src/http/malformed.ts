import { randomUUID } from "node:crypto";
import { STATUS_CODES, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ERRORS, type ErrorCode } from "@glovebox/contract";
import { addressKey } from "../limits/client-address.ts";
import { rateState, type RateCounter, type RateState } from "../limits/rate-limit.ts";
import type { Metrics } from "../observability/metrics.ts";
import { errorJson } from "./error-reply.ts";
import { standardHeaders } from "./respond.ts";

export interface MalformedDeps {
  readonly counter: RateCounter;
  readonly addressLimit: number;
  readonly now: () => Date;
  readonly metrics: Metrics;
}

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "The headers are too large.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request was not complete in time.",
};

/** Answers what never becomes a request: bytes that are not HTTP, oversized headers, slow senders, CONNECT. */
export function answerMalformed(server: Server, deps: MalformedDeps): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const message = MESSAGES[error.code ?? ""] ?? "The request is not valid HTTP/1.1.";
    if (error.code === "ECONNRESET" || !socket.writable || hasBegunAnswer(socket)) socket.destroy();
    else void answer(deps, socket, { code: "invalid_request", message });
  });
  server.on("connect", (_req, socket) => {
    socket.on("error", () => undefined);
    void answer(deps, socket, {
      code: "method_not_allowed",
      message: "CONNECT is not supported.",
      allow: true,
    });
  });
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly allow?: boolean;
}

async function answer(deps: MalformedDeps, socket: Duplex, refusal: Refusal): Promise<void> {
  const { counter, addressLimit, now, metrics } = deps;
  const count = await counter.count(addressKey((socket as Socket).remoteAddress));
  const rate = rateState(count, addressLimit, now());
  const effective: Refusal = rate.exceeded
    ? { code: "rate_limit_exceeded", message: "Too many requests without a valid key from this address." }
    : refusal;
  metrics.observeRequest({ method: "OTHER", route: "malformed", status: ERRORS[effective.code].status }, 0);
  if (socket.writable) socket.end(rawResponse(effective, rate), () => socket.destroy());
}

function rawResponse({ code, message, allow }: Refusal, rate: RateState): string {
  const { status } = ERRORS[code];
  const body = errorJson(code, message);
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

// An answer that is half written cannot be followed by another one.
const hasBegunAnswer = (socket: Duplex): boolean =>
  (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent === true;
