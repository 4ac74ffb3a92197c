import { createHash } from "node:crypto";
import type { AgentOptions } from "node:https";
import {
  type Cluster,
  type DispatcherOptions,
  KubeConfig,
  type RequestContext,
} from "@kubernetes/client-node";
import { Agent, type Dispatcher, ProxyAgent } from "undici";

export const USER_AGENT = "glovebox-controller";

/** How long a call may take that is no stream, from its start to the last byte of the answer. */
export const API_TIMEOUT_MS = 15_000;

/**
 * A KubeConfig whose requests share connections. The library makes a new connection pool for each request, and sets no
 * limit of time; here there is one pool for each way to connect (proxy, certificates, keys), so a new CA or client
 * certificate on disk gets a new pool, while requests under way keep theirs.
 *
 * Connections speak HTTP/1.1: a request that times out closes its own connection, while on one shared HTTP/2 connection
 * that has silently died every later request would wait in vain as well.
 */
export class PooledKubeConfig extends KubeConfig {
  readonly #pools = new Map<string, Dispatcher>();
  readonly #timeoutMs: number;
  #current: Dispatcher | undefined;

  constructor({ timeoutMs = API_TIMEOUT_MS }: { readonly timeoutMs?: number } = {}) {
    super();
    this.#timeoutMs = timeoutMs;
  }

  /** Adds credentials, the shared pool and a limit of time to a request. */
  override async applySecurityAuthentication(context: RequestContext): Promise<void> {
    await super.applySecurityAuthentication(context);
    if (this.#current !== undefined) context.setDispatcher(this.#current);
    context.setSignal(AbortSignal.timeout(this.#timeoutMs));
  }

  /**
   * Called by the library, with the certificates as they are on disk now, while it authenticates a request. The answer
   * `none` keeps it from making a pool of its own.
   */
  override createDispatcherOptions(cluster: Cluster | null, agentOptions: AgentOptions): DispatcherOptions {
    const options = super.createDispatcherOptions(cluster, agentOptions);
    const key = fingerprint(options);
    this.#current = this.#pools.get(key) ?? createPool(options);
    this.#pools.set(key, this.#current);
    return { type: "none" };
  }

  /** Ends every request that is under way and closes all connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
    this.#pools.clear();
  }
}

/** One value for options that connect alike; certificates and keys enter it as a digest only. */
const fingerprint = (options: DispatcherOptions): string =>
  createHash("sha256").update(JSON.stringify(options)).digest("base64");

/** Longer than the pauses between the calls of a busy controller, shorter than load balancers keep idle connections. */
const IDLE_MS = 30_000;
const http1 = { allowH2: false, keepAliveTimeout: IDLE_MS } as const;

function createPool(options: DispatcherOptions): Dispatcher {
  if (options.type === "socks") {
    throw new Error("The kubeconfig names a SOCKS proxy in proxy-url; only HTTP proxies are supported");
  }
  if (options.type === "none") return new Agent(http1);
  // undici's types tell a missing field from an undefined one, the library's do not.
  const connect = options.connect as Agent.Options["connect"] & object;
  if (options.type === "agent") return new Agent({ ...http1, connect });
  const requestTls = options.requestTls as NonNullable<ProxyAgent.Options["requestTls"]>;
  return new ProxyAgent({ ...http1, uri: options.uri, requestTls, connect });
}
