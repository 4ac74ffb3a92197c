import { VERSION } from "@glovebox/contract";
import { Agent, type Dispatcher } from "undici";
import type { Scope } from "./scope.ts";
import { ProbeResponse, type ProbeRequest } from "./exchange.ts";
import { codeOf, networkError, toNetworkError } from "./network-error.ts";
import { readBody } from "./response-body.ts";

/** The TLS settings of every connection to a target. */
export const TARGET_TLS = {
  // A certificate that does not verify is a finding of the encryption checks, not a failure (docs/decisions.md, "Errors");
  // no scan carries a secret of ours.
  rejectUnauthorized: false,
  // Old protocols and ciphers are also findings, so the client must support them.
  minVersion: "TLSv1",
  ciphers: "DEFAULT:@SECLEVEL=0",
} as const;

/** Connections to the pinned addresses only, with a limit on each size and time that the target controls. */
const createAgent = (scope: Scope, allowH2: boolean): Agent =>
  new Agent({
    connect: { ...TARGET_TLS, lookup: scope.lookup, timeout: 5_000, autoSelectFamily: true },
    connections: 16,
    pipelining: 1,
    allowH2,
    maxHeaderSize: 64 * 1024,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    keepAliveTimeout: 4_000,
  });

/** Time limit from connecting to the last byte of the body, for responses that arrive slowly. */
const EXCHANGE_MS = 15_000;
const USER_AGENT = `Glovebox-Scanner/${VERSION} (+security scan ordered by an operator of this API's owner)`;

interface ExchangeOptions {
  readonly signal: AbortSignal;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly maxBodyBytes?: number;
}

/** Uses HTTP/2 (RFC 9113) where the target negotiates it, and HTTP/1.1 (RFC 9112) otherwise. */
export class HttpClient {
  readonly #any: Agent;
  readonly #http1: Agent;
  /** Origins whose HTTP/2 is broken. */
  readonly #withoutHttp2 = new Set<string>();
  /** By the client of undici, which has one connection at a time. */
  readonly #connections = new Map<unknown, { isClosedByTarget: boolean }>();

  constructor(scope: Scope) {
    this.#any = createAgent(scope, true);
    this.#http1 = createAgent(scope, false);
    for (const agent of [this.#any, this.#http1]) this.#follow(agent);
  }

  /** Whether the target has closed any of the connections that are open now; to be asked later. */
  watchConnections(): () => boolean {
    const watched = [...this.#connections.values()];
    return () => watched.some(({ isClosedByTarget }) => isClosedByTarget);
  }

  #follow(agent: Agent): void {
    agent.on("connect", (_, targets) => this.#connections.set(targets.at(-1), { isClosedByTarget: false }));
    agent.on("disconnect", (_, targets, error) => {
      const connection = this.#connections.get(targets.at(-1));
      if (connection) connection.isClosedByTarget = codeOf(error) !== CLOSED_BY_CLIENT;
      this.#connections.delete(targets.at(-1));
    });
  }

  /**
   * Sends one request and reads a bounded part of the response. Follows no redirect.
   * @throws NetworkError when no valid response arrived in time.
   */
  async exchange(
    request: ProbeRequest,
    { signal, now, maxBodyBytes }: ExchangeOptions,
  ): Promise<ProbeResponse> {
    const started = now();
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(EXCHANGE_MS)]);
      const response = await this.#responseTo(request, inTime);
      const elapsedMs = now() - started;
      const headers = flattenHeaders(response.headers);
      const { text, truncated } = await readBody(response.body, headers, maxBodyBytes);
      return new ProbeResponse({
        request,
        status: response.statusCode,
        headers,
        body: text,
        truncated,
        elapsedMs,
      });
    } catch (error) {
      throw signal.aborted ? networkError("deadline", error) : toNetworkError(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#any.destroy(), this.#http1.destroy()]);
  }

  async #responseTo(request: ProbeRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { origin } = new URL(request.url);
    const needsHttp1 = dependsOnHttp1(request);
    const first = needsHttp1 || this.#withoutHttp2.has(origin) ? this.#http1 : this.#any;
    try {
      return await first.request({ ...optionsOf(request), signal });
    } catch (error) {
      const code = codeOf(error);
      if (first === this.#http1 && code === NO_HTTP1)
        return this.#any.request({ ...optionsOf(request), signal });
      if (first === this.#http1 || !isBrokenHttp2(error, code)) throw error;
      this.#withoutHttp2.add(origin);
      return this.#http1.request({ ...optionsOf(request), signal });
    }
  }
}

/** Of a connection that was idle for long, or that the response said to close. */
const CLOSED_BY_CLIENT = "UND_ERR_INFO";

/** Detected by the TLS alert of a server that supports only HTTP/2 (RFC 7301, section 3.2). */
const NO_HTTP1 = "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL";

/**
 * The session failed, or the server requires HTTP/1.1 (RFC 9113, section 7). A reset of a single stream counts as a closed
 * connection.
 */
const isBrokenHttp2 = (error: unknown, code: string): boolean =>
  /^ERR_HTTP2_(ERROR|SESSION_ERROR|INVALID_SESSION)$/.test(code) ||
  (error instanceof Error && error.message.includes("HTTP_1_1_REQUIRED"));

/** HTTP/2 forbids some headers, and HTTP/2 servers normalise a path before the application receives it. */
const dependsOnHttp1 = ({ rawPath, headers = {} }: ProbeRequest): boolean =>
  rawPath !== undefined || Object.keys(headers).some((name) => OF_HTTP1.test(name));

const OF_HTTP1 =
  /^(host|connection|keep-alive|proxy-connection|transfer-encoding|content-length|upgrade|te|expect)$/i;

function optionsOf({ method, url, rawPath, headers, body }: ProbeRequest) {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: rawPath ?? pathname + search,
    method,
    headers: { "user-agent": USER_AGENT, "accept-encoding": "gzip, identity;q=0.5", ...headers },
    body: body ?? null,
  };
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      flat[name.toLowerCase()] = Array.isArray(value)
        ? value.join(name === "set-cookie" ? "\n" : ", ")
        : value;
  }
  return flat;
}
