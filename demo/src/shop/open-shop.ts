import type { Limits } from "../guards.ts";
import type { Call, RouteResponse } from "../route.ts";
import { SHOP_ROUTES } from "./areas/index.ts";
import { shopDocument } from "./document.ts";
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
