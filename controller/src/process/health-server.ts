import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

export interface HealthOptions {
  readonly port: number;
  /** All addresses when absent. */
  readonly host?: string | undefined;
  readonly registry: Registry;
  /** Why the process is not ready; undefined when it is. */
  readonly unready: () => Promise<string | undefined>;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves /healthz (liveness), /readyz (caches and database are ready) and /metrics (Prometheus). */
export async function startHealthServer(options: HealthOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void serveHealth(request.url ?? "/", response, options).catch(() => response.destroy());
  });
  await once(server.listen({ port: options.port, host: options.host }), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serveHealth(url: string, response: ServerResponse, options: HealthOptions): Promise<void> {
  const [path] = url.split("?");
  if (path === "/healthz") return respond(response, 200, "ok");
  if (path === "/readyz") {
    const reason = await options.unready();
    return respond(response, reason === undefined ? 200 : 503, reason ?? "ready");
  }
  if (path !== "/metrics") return respond(response, 404, "not found");
  response.writeHead(200, { "content-type": options.registry.contentType });
  response.end(await options.registry.metrics());
}

const respond = (response: ServerResponse, status: number, text: string): void =>
  void response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
