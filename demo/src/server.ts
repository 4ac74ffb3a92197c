import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { empty, failure } from "./response.ts";
import type { Call, RouteResponse } from "./route.ts";

export interface ListeningServer {
  port: number;
  /** Also closes open connections. */
  close(): Promise<void>;
}

export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<ListeningServer> {
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

const MAX_BODY_BYTES = 1024 * 1024;

/** A request listener that sends the response of `handle` to each call. */
export function callListener(handle: (call: Call) => Promise<RouteResponse>): RequestListener {
  return (request, res) => {
    respond(request, handle).then(
      (response) => write(res, { response, head: request.method === "HEAD" }),
      () => write(res, { response: failure(500, "internal", "Internal server error"), head: false }),
    );
  };
}

async function respond(
  request: IncomingMessage,
  handle: (call: Call) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const body = await bodyOf(request);
  if (body === undefined) return failure(413, "payload_too_large", "The body is larger than 1 MiB");
  const [path = "/", ...query] = (request.url ?? "/").split("?");
  return handle({
    method: request.method ?? "GET",
    path,
    params: {},
    query: new URLSearchParams(query.join("?")),
    headers: request.headers,
    body,
    address: request.socket.remoteAddress ?? "unknown",
  });
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString();
}

/** Returns 500 without a body if a vulnerable handler returned an invalid header. */
function write(res: ServerResponse, { response, head }: { response: RouteResponse; head: boolean }): void {
  const length = { "content-length": String(Buffer.byteLength(response.body)) };
  try {
    res.writeHead(response.status, { ...response.headers, ...(response.status === 204 ? {} : length) });
  } catch {
    res.writeHead(500, empty(500).headers);
    return void res.end();
  }
  res.end(head ? undefined : response.body);
}
