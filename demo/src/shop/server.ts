import { createServer } from "node:https";
import type { DemoCertificates } from "../certificate-authority.ts";
import { TLS_OPTIONS } from "../areas/encryption.ts";
import type { Limits } from "../guards.ts";
import type { Call, RouteResponse, Variant } from "../route.ts";
import { authority, callListener, listen } from "../server.ts";
import { TokenBuckets } from "../token-bucket.ts";
import { SHOP_ROUTES } from "./areas/index.ts";
import { SHOP_BASE, shopDocument } from "./document.ts";
import { handleShop } from "./handle.ts";
import { type ShopOptions, createShop } from "./shop.ts";
import { type ShopState, stateOf } from "./state.ts";

/** Lifetime of access tokens, in seconds. */
const ACCESS_SECONDS = 300;

export interface RunningShop {
  handle(call: Call): Promise<RouteResponse>;
  /** What it has stored, for tests. */
  state(): ShopState;
  close(): void;
}

/** The shop without a server. */
export function openShop(
  options: Pick<ShopOptions, "variant" | "origin" | "now"> & {
    accessSeconds?: number | undefined;
    limits: Limits;
  },
): RunningShop {
  const { variant, origin, now, limits, accessSeconds = ACCESS_SECONDS } = options;
  const routes = SHOP_ROUTES.filter((route) => route[variant]);
  const document = shopDocument(routes, { variant, origin });
  const shop = createShop({ variant, origin, document, accessSeconds, now });
  return {
    handle: (call) => handleShop(call, { routes, shop, limits }),
    state: () => stateOf(shop),
    close: () => shop.catalogue.close(),
  };
}

export interface ShopServerOptions {
  variant: Variant;
  tls: Pick<DemoCertificates, "certPem" | "keyPem">;
  /** Lifetime of access tokens; 300 by default. */
  accessSeconds?: number;
  now?: () => Date;
}

/** `url` ends without a slash; the document is at its `/openapi.json`. */
export interface ShopServer extends Pick<RunningShop, "state"> {
  variant: Variant;
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Limits so high that no test reaches them. */
const UNLIMITED = 1_000_000;

/** Starts the shop alone, on a host that has no weaknesses, for tests and measurements. */
export async function startShop({
  variant,
  tls,
  accessSeconds,
  now = () => new Date(),
}: ShopServerOptions): Promise<ShopServer> {
  const host = "127.0.0.1";
  const buckets = new TokenBuckets({ capacity: UNLIMITED, perSecond: UNLIMITED, now: () => now().getTime() });
  let shop: RunningShop | undefined;
  const listener = callListener((call) => shop!.handle(call));
  const server = await listen(
    createServer({ ...TLS_OPTIONS.hardened, key: tls.keyPem, cert: tls.certPem }, listener),
    {
      host,
      port: 0,
    },
  );
  const origin = `https://${authority(host, server.port)}`;
  const limits = { perPath: buckets, overall: buckets };
  const running = (shop = openShop({ variant, origin, now, limits, accessSeconds }));
  return {
    variant,
    url: origin + SHOP_BASE,
    port: server.port,
    state: running.state,
    close: async () => {
      await server.close();
      running.close();
    },
  };
}
