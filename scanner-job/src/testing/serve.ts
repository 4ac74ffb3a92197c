import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** Serves on a free loopback port until disposed of; over TLS when options for it are given. */
export async function serve(handler: RequestListener, tls?: TlsOptions): Promise<Served> {
  const server: Server = tls ? createTlsServer(tls, handler) : createServer(handler);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
