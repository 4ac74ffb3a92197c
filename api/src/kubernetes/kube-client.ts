import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import type { KubeConnection } from "./connection.ts";
import { KubeFailure } from "./kube-failure.ts";

export interface KubeCall {
  /** What is done, for messages: `create scan`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
}

export interface KubeClient {
  /** The answer's JSON. Rejects with `KubeFailure` when there is none, or its status is not of success. */
  call(call: KubeCall): Promise<unknown>;
  /** Ends what is under way. */
  close(): void;
}

/** How long one request may take, to the last byte of its answer. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_SOCKETS = 16;

/** Requests to one API server, over a few connections that are kept. */
export function createKubeClient(connection: KubeConnection, timeoutMs = TIMEOUT_MS): KubeClient {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const attempt = async (call: KubeCall): Promise<Answer> => {
    const options = await optionsOf(call, connection);
    return exchange({ ...options, agent, signal: AbortSignal.timeout(timeoutMs) }, call.body);
  };
  return {
    async call(call) {
      const answer = await attempt(call)
        .catch((error: unknown) => (isStale(error) ? attempt(call) : Promise.reject(error)))
        .catch((cause: unknown) => {
          throw new KubeFailure(call.name, { cause });
        });
      return contentOf(call, answer);
    },
    close: () => agent.destroy(),
  };
}

async function optionsOf(
  call: KubeCall,
  { host, port, credentials }: KubeConnection,
): Promise<RequestOptions> {
  const { method, path, body, accept = "application/json" } = call;
  const { ca, token, cert, key } = await credentials();
  return {
    host,
    port,
    method,
    path,
    headers: {
      Accept: accept,
      "User-Agent": "glovebox-api",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ca,
    cert,
    key,
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function exchange(options: RequestOptions, body: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(options, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode!, text }), reject);
    });
    request.once("error", (error) => reject(request.reusedSocket ? new StaleConnection(error) : error));
    if (body === undefined) return void request.end();
    const bytes = Buffer.from(JSON.stringify(body));
    // A DELETE has a body here, and Node says of none how long it is by itself.
    request.setHeader("Content-Length", bytes.length).end(bytes);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error("The answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A kept connection broke as it was used again: the server had closed it, so a new one may do. */
class StaleConnection extends Error {
  constructor(cause: unknown) {
    super("A kept connection was closed", { cause });
  }
}

const CLOSED = new Set(["ECONNRESET", "EPIPE"]);

/** Every call made here may be repeated: names are given, so creating or deleting twice changes nothing. */
const isStale = (error: unknown): boolean =>
  error instanceof StaleConnection && CLOSED.has((error.cause as NodeJS.ErrnoException).code ?? "");

function contentOf({ name }: KubeCall, { status, text }: Answer): unknown {
  const content = parse(text);
  if (status >= 200 && status < 300 && content !== undefined) return content;
  const reason = (content as { reason?: unknown } | null | undefined)?.reason;
  const known = typeof reason === "string" && /^\w{1,64}$/.test(reason);
  throw new KubeFailure(name, { status, reason: known ? reason : undefined });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
