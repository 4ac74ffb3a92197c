import type { AgentOptions } from "node:https";
import { isDeepStrictEqual } from "node:util";
import {
  type Cluster,
  type DispatcherOptions,
  KubeConfig,
  type RequestContext,
} from "@kubernetes/client-node";
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import { ServerClock } from "./server-clock.ts";

export const USER_AGENT = "glovebox-controller";

const API_TIMEOUT_MS = 15_000;

export interface PooledKubeConfigOptions {
  readonly timeoutMs?: number;
  readonly clock?: ServerClock;
}

/**
 * A KubeConfig whose requests share connections. The library makes a new connection pool for each request, and sets no
 * limit of time; here there is one pool for each way to connect (proxy, certificates, keys), so a new CA or client
 * certificate on disk gets a new pool, while requests under way keep theirs.
 *
 * Connections speak HTTP/1.1: a request that times out closes its own connection, while on one shared HTTP/2 connection
 * that has silently died every later request would wait in vain as well.
 */
export class PooledKubeConfig extends KubeConfig {
  /** How long a call that is no stream may take to begin its answer, and then from one piece of it to the next. */
  readonly timeoutMs: number;
  /** That of the API server, as its answers tell it. */
  readonly clock: ServerClock;
  readonly #pools: { readonly options: DispatcherOptions; readonly pool: Dispatcher }[] = [];
  #current: Dispatcher | undefined;

  constructor({ timeoutMs = API_TIMEOUT_MS, clock = new ServerClock() }: PooledKubeConfigOptions = {}) {
    super();
    this.timeoutMs = timeoutMs;
    this.clock = clock;
  }

  /** Adds credentials and the shared pool to a request. */
  override async applySecurityAuthentication(context: RequestContext): Promise<void> {
    await super.applySecurityAuthentication(context);
    if (this.#current !== undefined) context.setDispatcher(this.#current);
  }

  /**
   * Called by the library, with the certificates as they are on disk now, while it authenticates a request. The answer
   * `none` keeps it from making a pool of its own.
   */
  override createDispatcherOptions(cluster: Cluster | null, agentOptions: AgentOptions): DispatcherOptions {
    const options = super.createDispatcherOptions(cluster, agentOptions);
    this.#current = this.#poolFor(options);
    return { type: "none" };
  }

  /** Ends every request that is under way and closes all connections. */
  async close(): Promise<void> {
    await Promise.all(this.#pools.splice(0).map(({ pool }) => pool.destroy()));
  }

  #poolFor(options: DispatcherOptions): Dispatcher {
    const found = this.#pools.find((one) => isDeepStrictEqual(one.options, options));
    if (found) return found.pool;
    const pool = createPool(options);
    this.#pools.push({ options, pool });
    return pool;
  }
}

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
