import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import type { TlsOptions } from "node:tls";

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/**
 * Serves on a free loopback port until disposed of; over TLS when options for it are given. With `plain`, requests
 * without TLS on that same port also get responses.
 */
export async function serve(
  handler: RequestListener,
  tls?: TlsOptions,
  plain?: RequestListener,
): Promise<Served> {
  const own = tls ? createTlsServer(tls, handler) : createServer(handler);
  const other = plain && createServer(plain);
  const server = other ? inFrontOf({ own, other }) : own;
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      own.closeAllConnections();
      other?.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The first byte of a TLS handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 22;

/** One port for both: what begins with a TLS handshake is for one's own server, the rest for the other. */
const inFrontOf = ({ own, other }: { own: Server; other: Server }): TcpServer =>
  createTcpServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === HANDSHAKE ? own : other).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  });
