import { describedOperations } from "../operations.ts";
import type { Variant } from "../route.ts";
import { SESSION_COOKIE } from "./cookies.ts";
import type { ShopRoute } from "./route.ts";

/** Path of the shop on the demo's server. */
export const SHOP_BASE = "/shop";
/** Paths of the desk, which is signed in to with a cookie. */
export const isOfDesk = (path: string): boolean => path.startsWith("/desk/");

/** The OpenAPI 3.1 document: the same for both variants. */
export function shopDocument(
  routes: readonly ShopRoute[],
  { variant, origin }: { variant: Variant; origin: string },
): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "Larkfield Supplies",
      version: "2.0.0",
      description: "Office supplies for companies and their staff. A demonstration: there is no such shop.",
    },
    servers: [{ url: origin + SHOP_BASE, description: "This demo" }],
    ...describedOperations(routes, variant, ({ path }) => [
      isOfDesk(path) ? { deskCookie: [] } : { bearerAuth: [] },
    ]),
    components: {
      securitySchemes: {
        bearerAuth: { type: "http", scheme: "bearer" },
        deskCookie: { type: "apiKey", in: "cookie", name: SESSION_COOKIE },
      },
    },
    security: [{ bearerAuth: [] }],
  };
}
