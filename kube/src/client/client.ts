import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { json } from "node:stream/consumers";
import type { KubeConnection } from "./connection.ts";
import { statusError, toKubeError } from "./error.ts";
import { ServerClock } from "./server-clock.ts";

/** A request to the Kubernetes API. */
export interface KubeRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Begins with a slash; its parts are already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The type of the body; `application/json` when absent. */
  readonly contentType?: string;
  /** The Accept header; JSON when absent. */
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  /** For streams: the longest wait for the next part of the response, 0 for no limit; the limit of the client when absent. */
  readonly idleTimeoutMs?: number;
}

/** The body of a successful response, to be read once. It throws KubeErrors. Leaving it before its end closes the connection. */
export type KubeBody = AsyncIterable<Uint8Array>;

/**
 * Sends a request and returns the body of a successful response.
 * @throws KubeError for a response outside 200 to 299 and for no response
 */
export type KubeTransport = (request: KubeRequest) => Promise<KubeBody>;

export interface KubeClientOptions {
  readonly userAgent: string;
  /** How long the response may take to begin, and then each of its parts; 15 s when absent. */
  readonly timeoutMs?: number;
  /** Connections at a time; requests beyond wait. No limit when absent: each watch keeps one. */
  readonly maxConnections?: number;
  /**
   * True: writes too are sent once more when a kept connection was closed by the server just as it was used again. Only for
   * writes that may arrive twice. GETs always are.
   */
  readonly repeatWrites?: boolean;
  readonly clock?: ServerClock;
}

/** Requests to one API server, over connections that are kept. */
export interface KubeClient {
  readonly transport: KubeTransport;
  /** The time of the API server, estimated from its responses. */
  readonly clock: ServerClock;
  /** Closes all connections, including those with requests under way. */
  close(): void;
}

const TIMEOUT_MS = 15_000;
/** Longer than the pauses between the requests of a busy process, shorter than load balancers keep idle connections. */
const IDLE_MS = 30_000;

/**
 * Connections speak HTTP/1.1: a request that times out closes its own connection, while on one shared HTTP/2 connection
 * that has silently died every later request would wait in vain as well.
 */
export function createKubeClient(connection: KubeConnection, options: KubeClientOptions): KubeClient {
  const { clock = new ServerClock(), timeoutMs = TIMEOUT_MS, maxConnections = Infinity } = options;
  const Agent = connection.server.protocol === "http:" ? HttpAgent : HttpsAgent;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, maxSockets: maxConnections });
  const attempt = async (request: KubeRequest): Promise<IncomingMessage> => {
    const outgoing = await open(connection, request, { agent, userAgent: options.userAgent });
    const sentAt = clock.monotonic();
    const response = await responseTo(outgoing, request, timeoutMs);
    clock.heard(response.headers.date, sentAt);
    return response;
  };
  const send = (request: KubeRequest): Promise<IncomingMessage> =>
    attempt(request).catch((error: unknown) => {
      const isRepeatable = options.repeatWrites || (request.method ?? "GET") === "GET";
      if (error instanceof StaleConnection && isRepeatable) return attempt(request);
      throw error;
    });
  return {
    clock,
    close: () => agent.destroy(),
    async transport(request) {
      const call = callOf(request);
      const response = await send(request).catch((error: unknown) => {
        throw toKubeError(call, error);
      });
      const { statusCode = 0, headers } = response;
      const body = partsOf(response, call, request.idleTimeoutMs ?? timeoutMs);
      if (statusCode >= 200 && statusCode <= 299) return body;
      throw statusError(call, statusCode, { headers, body: await shortText(body) });
    },
  };
}

const callOf = ({ method = "GET", path }: KubeRequest): string => `${method} ${path}`;

async function open(
  { server, serverName, insecure, credentials }: KubeConnection,
  request: KubeRequest,
  { agent, userAgent }: { readonly agent: HttpAgent | HttpsAgent; readonly userAgent: string },
): Promise<ClientRequest> {
  const { token, ...certificates } = await credentials();
  request.signal?.throwIfAborted();
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
  const send = server.protocol === "http:" ? httpRequest : httpsRequest;
  const outgoing = send(urlOf(server, request), {
    // The agent keeps connections with other certificates apart: one that was replaced on disk is used from then on.
    ...certificates,
    ...(serverName !== undefined && { servername: serverName }),
    ...(insecure && { rejectUnauthorized: false }),
    agent,
    method: request.method ?? "GET",
    headers: {
      "User-Agent": userAgent,
      Accept: request.accept ?? "application/json, */*",
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body && {
        "Content-Type": request.contentType ?? "application/json",
        "Content-Length": body.length,
      }),
    },
  });
  return outgoing.end(body);
}

function urlOf(server: URL, { path, query = {} }: KubeRequest): URL {
  const url = new URL(server.pathname.replace(/\/$/, "") + path, server);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** Resolves when the response begins. The signal ends the request, and later its response. */
function responseTo(
  outgoing: ClientRequest,
  { signal }: KubeRequest,
  timeoutMs: number,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let incoming: IncomingMessage | undefined;
  const abort = (): void => void (incoming ?? outgoing).destroy(signal!.reason as Error);
  const timer = setTimeout(() => outgoing.destroy(timedOut()), timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  outgoing.on("response", (response) => resolve((incoming = response)));
  outgoing.on("response", () => clearTimeout(timer));
  outgoing.on("error", (error) =>
    reject(outgoing.reusedSocket && isReset(error) ? new StaleConnection(error) : error),
  );
  outgoing.on("close", () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  });
  return promise;
}

/** A kept connection broke as it was used again: the server had closed it meanwhile. */
class StaleConnection extends Error {
  readonly code = "ECONNRESET";

  constructor(cause: unknown) {
    super("A kept connection was closed", { cause });
  }
}

const isReset = ({ code = "" }: NodeJS.ErrnoException): boolean => ["ECONNRESET", "EPIPE"].includes(code);

const timedOut = (): DOMException =>
  new DOMException("The API server did not respond in time", "TimeoutError");

async function* partsOf(
  response: IncomingMessage,
  call: string,
  idleTimeoutMs: number,
): AsyncGenerator<Uint8Array, void> {
  const wait = (): NodeJS.Timeout | undefined =>
    idleTimeoutMs === 0 ? undefined : setTimeout(() => response.destroy(timedOut()), idleTimeoutMs);
  let timer = wait();
  try {
    for await (const part of response as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      yield part;
      timer = wait();
    }
  } catch (error) {
    throw toKubeError(call, error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The JSON of the response to a request.
 * @throws KubeError
 */
export async function requestJson<T>(transport: KubeTransport, request: KubeRequest): Promise<T> {
  const body = await transport(request);
  try {
    return (await json(body)) as T;
  } catch (error) {
    throw toKubeError(callOf(request), error);
  }
}

const MAX_STATUS_BYTES = 64 * 1024;

/** The beginning of a body; the rest is dropped with the connection. */
async function shortText(body: KubeBody): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size > MAX_STATUS_BYTES) break;
  }
  return Buffer.concat(parts).toString("utf8");
}
