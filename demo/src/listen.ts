import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Bound {
  port: number;
  /** Also drops the connections that are still open. */
  close(): Promise<void>;
}

export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<Bound> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

export function authority(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
