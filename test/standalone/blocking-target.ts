import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createDemoCertificates } from "@glovebox/demo";

/** An HTTPS API that responds to no request before `release`, so that a test controls how long its scan runs. */
export interface BlockingTarget extends AsyncDisposable {
  readonly url: string;
  /** Address and port for GLOVEBOX_EGRESS_ALLOW. */
  readonly allowed: string;
  /** Resolves when the first request arrives. */
  reached(): Promise<void>;
  /** Responds to all waiting and later requests. */
  release(): void;
}

export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** @param respond writes each response; by default two resources as JSON */
export async function startBlockingTarget(respond: Respond = listResources): Promise<BlockingTarget> {
  const { certPem, keyPem } = await createDemoCertificates();
  const waiting = new Map<ServerResponse, IncomingMessage>();
  const reached = Promise.withResolvers<void>();
  let released = false;
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    request.resume();
    if (released) return void respond(request, response);
    waiting.set(response, request);
    response.on("close", () => waiting.delete(response));
    reached.resolve();
  });
  const sockets = new Set<Socket>();
  server.on("secureConnection", (socket) => sockets.add(socket));
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/`,
    allowed: `127.0.0.1:${port}`,
    reached: () => reached.promise,
    release() {
      released = true;
      for (const [response, request] of waiting) respond(request, response);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const RESOURCES: Readonly<Record<string, unknown>> = { "/": { items: "/items" }, "/items": [{ id: 1 }] };

function listResources({ url = "/" }: IncomingMessage, response: ServerResponse): void {
  const resource = RESOURCES[url];
  response.writeHead(resource ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(resource ?? { error: "not found" }));
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
