import { createServer, type RequestListener, type Server } from "node:http";

const MAX_HEADER_BYTES = 16 * 1024;
/** Longer than the idle time of common proxies (60 s), so that they, not we, close idle connections. */
const KEEP_ALIVE_MS = 75_000;

export interface ServerTimeouts {
  /** Until the headers of a request are complete, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** Until a request with its body is complete, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** A node:http server whose limits end slow and oversized requests; it is not listening yet. */
export function createHttpServer(
  handler: RequestListener,
  { headersTimeoutMs, requestTimeoutMs }: ServerTimeouts,
): Server {
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

/** Accepts nothing more and waits for open requests; what is left after `withinMs` is cut off. */
export async function stopServer(server: Server, withinMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(timer);
}
