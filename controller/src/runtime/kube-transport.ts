import { HttpMethod, RequestContext } from "@kubernetes/client-node";
import type { Dispatcher } from "undici";
import { statusError, toKubeError } from "./kube-error.ts";
import { type PooledKubeConfig, USER_AGENT } from "./pooled-kube-config.ts";

/**
 * A request to the Kubernetes API. The generated APIs of the library are not used: they cannot read a list page by page or
 * a stream, leave out fields that their model of a kind does not have, and are most of the library's code.
 */
export interface KubeRequest {
  readonly method?: Dispatcher.HttpMethod;
  /** Begins with a slash; its parts are already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The type of the body; `application/json` when absent. */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  /**
   * For streams: how long the answer may be silent once it has begun, 0 for no limit. Without it as long as the
   * configuration lets calls wait (15 s).
   */
  readonly silenceMs?: number;
}

/** The body of a successful answer: to be read to its end, or destroyed. */
export type KubeBody = Dispatcher.ResponseData["body"];

/**
 * Sends a request and returns the body of a successful answer.
 * @throws KubeError for an answer outside 200 to 299 and for no answer
 */
export type KubeTransport = (request: KubeRequest) => Promise<KubeBody>;

/** Requests to the current cluster of a configuration, over its shared connections. */
export const createTransport =
  (config: PooledKubeConfig): KubeTransport =>
  async (request) => {
    const call = `${request.method ?? "GET"} ${request.path}`;
    try {
      const { statusCode, headers, body } = await dispatch(config, request);
      if (statusCode >= 200 && statusCode <= 299) return body;
      throw statusError(call, statusCode, { headers, body: await shortText(body) });
    } catch (error) {
      throw toKubeError(call, error);
    }
  };

/**
 * The JSON of an answer.
 * @throws KubeError
 */
export async function readJson<T>(call: string, body: KubeBody): Promise<T> {
  try {
    return (await body.json()) as T;
  } catch (error) {
    throw toKubeError(call, error);
  }
}

async function dispatch(config: PooledKubeConfig, request: KubeRequest): Promise<Dispatcher.ResponseData> {
  const context = createContext(config, request);
  await config.applySecurityAuthentication(context);
  const { body, silenceMs, contentType = "application/json" } = request;
  const { origin, pathname, search } = new URL(context.getUrl());
  const sentAt = config.clock.monotonic();
  const answer = await context.getDispatcher()!.request({
    origin,
    path: pathname + search,
    method: request.method ?? "GET",
    headers: {
      ...context.getHeaders(),
      "user-agent": USER_AGENT,
      accept: "application/json, */*",
      ...(body !== undefined && { "content-type": contentType }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(request.signal && { signal: request.signal }),
    headersTimeout: config.timeoutMs,
    bodyTimeout: silenceMs ?? config.timeoutMs,
  });
  const { date } = answer.headers;
  config.clock.heard(typeof date === "string" ? date : undefined, sentAt);
  return answer;
}

function createContext(config: PooledKubeConfig, { path, query = {} }: KubeRequest): RequestContext {
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error("The kubeconfig has no current cluster");
  // The method of the context is not looked at.
  const context = new RequestContext(server.replace(/\/$/, "") + path, HttpMethod.GET);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) context.setQueryParam(name, String(value));
  }
  return context;
}

const LONGEST_STATUS = 64 * 1024;

/** The beginning of a body; what comes after it is thrown away with the connection. */
async function shortText(body: KubeBody): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LONGEST_STATUS) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}
