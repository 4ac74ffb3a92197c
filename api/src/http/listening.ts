import type { Server } from "node:http";

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
