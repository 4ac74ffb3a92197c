import { createServer, type Server } from "node:http";
import type { Registry } from "prom-client";

/**
 * A server of /metrics in the Prometheus text format and nothing else, for a port that no Ingress publishes. It is not listening
 * yet.
 */
export const createMetricsServer = (registry: Registry): Server =>
  createServer((request, response) => {
    const [path] = (request.url ?? "/").split("?");
    if (path !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD"))
      return void response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => response.destroy(),
    );
  });
