import type { Server } from "node:http";

/** Accepts nothing more and waits for open requests; what is left after `withinMs` is cut off. */
export async function stopServer(server: Server, withinMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(timer);
}
