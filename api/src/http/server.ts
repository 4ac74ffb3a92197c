import { createServer, type RequestListener, type Server } from "node:http";
import type { ApiSettings } from "../deps.ts";

const MAX_HEADER_BYTES = 16 * 1024;
/** Longer than the idle time of common proxies (60 s), so that they, not we, close idle connections. */
const KEEP_ALIVE_MS = 75_000;

/** A node:http server whose limits end slow and oversized requests; it is not listening yet. */
export function createHttpServer(handler: RequestListener, settings: ApiSettings): Server {
  const { headersTimeoutMs, requestTimeoutMs } = settings;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
      // Its absence is refused by our own answer, which has all the headers.
      requireHostHeader: false,
    },
    handler,
  );
  // The body is asked for when it is wanted, so a request that is refused anyway need not send it.
  server.on("checkContinue", handler);
  server.on("checkExpectation", handler);
  return server;
}
