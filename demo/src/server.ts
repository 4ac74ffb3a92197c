import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { empty, failure } from "./reply.ts";
import type { Call, Reply } from "./route.ts";

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

/** A request listener that answers with the reply to each call. */
export function callListener(answer: (call: Call) => Promise<Reply>): RequestListener {
  return (request, response) => {
    respond(request, answer).then(
      (reply) => write(response, { reply, head: request.method === "HEAD" }),
      () => write(response, { reply: failure(500, "internal", "Internal server error"), head: false }),
    );
  };
}

async function respond(request: IncomingMessage, answer: (call: Call) => Promise<Reply>): Promise<Reply> {
  const body = await bodyOf(request);
  if (body === undefined) return failure(413, "payload_too_large", "The body is larger than 1 MiB");
  const [path = "/", ...query] = (request.url ?? "/").split("?");
  return answer({
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

/** Answers 500 without a body if a vulnerable handler returned an invalid header. */
function write(response: ServerResponse, { reply, head }: { reply: Reply; head: boolean }): void {
  const length = { "content-length": String(Buffer.byteLength(reply.body)) };
  try {
    response.writeHead(reply.status, { ...reply.headers, ...(reply.status === 204 ? {} : length) });
  } catch {
    response.writeHead(500, empty(500).headers);
    return void response.end();
  }
  response.end(head ? undefined : reply.body);
}
