import { type RequestListener, createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Account } from "./accounts.ts";
import { ROUTES } from "./areas/index.ts";
import { TLS_OPTIONS } from "./areas/encryption.ts";
import type { DemoCertificates } from "./certificate-authority.ts";
import { ensureDemoCertificates } from "./certificates.ts";
import { createClinic } from "./clinic.ts";
import { openApiDocument } from "./document.ts";
import type { Limits } from "./guards.ts";
import { handleHardened } from "./hardened.ts";
import { authority, callListener, listen } from "./server.ts";
import { SHOP_BASE } from "./shop/document.ts";
import { isForShop } from "./shop/handle.ts";
import { openShop } from "./shop/open-shop.ts";
import type { ShopState } from "./shop/state.ts";
import type { Call, RouteResponse, Variant } from "./route.ts";
import { empty } from "./response.ts";
import { TokenBuckets } from "./token-bucket.ts";
import { handleVulnerable } from "./vulnerable.ts";

/** Rate limit of the hardened variant for one client address and path, per second; five times as much for all paths. */
const REQUESTS_PER_PATH = 20;
const CONCURRENT_PATHS = 5;

export type DemoOptions = {
  variant: Variant;
  /** 0 for any free port. */
  port: number;
  host?: string;
  /** A second port without TLS, where the vulnerable variant serves the API and the hardened one redirects. */
  plainHttpPort?: number;
  /** Serves the shop without the clinic, so that only the weaknesses behind its sign-in are there. */
  only?: "shop";
  /** Lifetime of the shop's access tokens, in seconds; 300 by default. */
  accessSeconds?: number;
  /**
   * Rate limit of the hardened variant, and of the shop, for one client address and path; 20 by default. Five times as much for all
   * paths.
   */
  requestsPerSecond?: number;
  now?: () => Date;
} & ({ certificateDir: string } | { tls: Pick<DemoCertificates, "caPem" | "certPem" | "keyPem"> });

/**
 * URLs end without a slash. `accounts` are two users of the clinic and its administrator, and `shopState` is what the shop has stored,
 * for tests.
 */
export interface Demo {
  url: string;
  shopUrl: string;
  shopState(): ShopState;
  plainHttpUrl: string | undefined;
  caPem: string;
  accounts: readonly Account[];
  requests(): number;
  close(): Promise<void>;
}

/**
 * Starts the demo API over HTTPS.
 * @throws RangeError if the vulnerable variant would listen on an address other than loopback.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { variant, port, host = "127.0.0.1", plainHttpPort, only, now = () => new Date() } = options;
  if (variant === "vulnerable" && !isLoopback(host)) {
    throw new RangeError(`host: the vulnerable API listens on loopback addresses alone, not on ${host}`);
  }
  const tls = "tls" in options ? options.tls : await ensureDemoCertificates(options.certificateDir, now);

  let received = 0;
  let handle: (call: Call) => Promise<RouteResponse> = () => Promise.resolve(empty(503));
  const counted = callListener((call) => ((received += 1), handle(call)));
  const server = createTlsServer(
    { ...TLS_OPTIONS[only ? "hardened" : variant], key: tls.keyPem, cert: tls.certPem },
    counted,
  );
  const secure = await listen(server, { host, port });
  const origin = `https://${authority(host, secure.port)}`;

  const document = openApiDocument(ROUTES, { variant, origin });
  const routes = ROUTES.filter((route) => route[variant]);
  const clinic = createClinic({ variant, origin, document, now });
  const limits = limitsOf(options.requestsPerSecond ?? REQUESTS_PER_PATH, now);
  const shop = openShop({ variant, origin, now, limits, accessSeconds: options.accessSeconds });
  handle = (call) => {
    if (only || isForShop(call.path)) return shop.handle(call);
    return variant === "vulnerable"
      ? handleVulnerable(call, { routes, clinic })
      : handleHardened(call, { routes, clinic, limits });
  };

  const plainListener = variant === "vulnerable" ? counted : redirectingTo(origin);
  const plain =
    plainHttpPort === undefined
      ? undefined
      : await listen(createServer(plainListener), { host, port: plainHttpPort });
  return {
    url: origin,
    shopUrl: origin + SHOP_BASE,
    shopState: shop.state,
    plainHttpUrl: plain && `http://${authority(host, plain.port)}`,
    caPem: tls.caPem,
    accounts: clinic.accounts,
    requests: () => received,
    close: async () => {
      await Promise.all([secure.close(), plain?.close()]);
      clinic.pharmacy.close();
      shop.close();
    },
  };
}

function limitsOf(perPath: number, now: () => Date): Limits {
  const bucketsOf = (capacity: number) =>
    new TokenBuckets({ capacity, perSecond: capacity, now: () => now().getTime() });
  return { perPath: bucketsOf(perPath), overall: bucketsOf(perPath * CONCURRENT_PATHS) };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function redirectingTo(origin: string): RequestListener {
  return (request, response) => {
    const path = request.url?.startsWith("/") && !request.url.startsWith("//") ? request.url : "/";
    response.writeHead(308, { location: origin + path }).end();
  };
}
