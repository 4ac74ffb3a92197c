import { createServer, type Server } from "node:https";
import type { ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createDemoCertificates } from "@glovebox/demo";

/** An HTTPS API that holds every request until it is released: a scan of it runs for as long as a test wants. */
export interface BlockingTarget extends AsyncDisposable {
  readonly url: string;
  /** As GLOVEBOX_EGRESS_ALLOW takes it. */
  readonly allowance: string;
  /** Resolves when a request is held. */
  reached(): Promise<void>;
  /** From now on requests are answered, those that are held at once. */
  release(): void;
}

export async function startBlockingTarget(): Promise<BlockingTarget> {
  const { certPem, keyPem } = await createDemoCertificates();
  const held = new Map<ServerResponse, string>();
  const reached = Promise.withResolvers<void>();
  let released = false;
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    request.resume();
    const { url = "/" } = request;
    if (released) return void answer(response, url);
    held.set(response, url);
    response.on("close", () => held.delete(response));
    reached.resolve();
  });
  const sockets = new Set<Socket>();
  server.on("secureConnection", (socket) => sockets.add(socket));
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/`,
    allowance: `127.0.0.1:${port}`,
    reached: () => reached.promise,
    release() {
      released = true;
      for (const [response, url] of held) answer(response, url);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const RESOURCES: Readonly<Record<string, unknown>> = { "/": { items: "/items" }, "/items": [{ id: 1 }] };

function answer(response: ServerResponse, url: string): void {
  const resource = RESOURCES[url];
  response.writeHead(resource ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(resource ?? { error: "not found" }));
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
