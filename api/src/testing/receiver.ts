import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { selfSigned } from "@glovebox/kube/testing";

/** Of all receivers. */
const { key, cert } = selfSigned();

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly path: string;
}

export interface Receiver {
  /** `https://127.0.0.1:` and its port. */
  readonly url: string;
  readonly port: number;
  /** The certificate of all receivers, which names 127.0.0.1 alone. */
  readonly ca: string;
  readonly received: readonly Received[];
  /** Connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** An HTTPS server on loopback that keeps what is posted to it. `respond` responds; without one it is 204. */
export async function startReceiver(
  respond: (res: ServerResponse, received: Received) => void = (res) => res.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ key, cert }, (req, res) => {
    void text(req).then((body) => {
      const message = { headers: req.headers as Record<string, string>, body, path: req.url! };
      received.push(message);
      respond(res, message);
    });
  });
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, received, ca: cert, url: `https://127.0.0.1:${port}`, connections: () => connections },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, "close");
    },
  };
}
