import { type Limits, guarded, inputError, methodNotAllowed } from "../guards.ts";
import { bearer, failure, forbidden, notFound, unauthorized } from "../response.ts";
import type { Call, RouteResponse } from "../route.ts";
import { type Match, routesAt } from "../router.ts";
import { sessionCookieIn } from "./cookies.ts";
import { SHOP_BASE, isOfDesk } from "./document.ts";
import type { ShopCall, ShopRoute } from "./route.ts";
import { findById } from "./rows.ts";
import type { Shop } from "./shop.ts";
import { GUEST, type User } from "./users.ts";

/** A path without a route: the shop may be alone on its host. */
const UNKNOWN = "";

export const isForShop = (path: string): boolean => path === SHOP_BASE || path.startsWith(`${SHOP_BASE}/`);

/**
 * Both variants check each request in the same order: rate limit, path, credentials, CSRF token, role, method, input. The vulnerable
 * one differs in its handlers, its sessions, and the role at routes with a weakness of functions.
 */
export function handleShop(
  call: Call,
  { routes, shop, limits }: { routes: readonly ShopRoute[]; shop: Shop; limits: Limits },
): Promise<RouteResponse> {
  const path = isForShop(call.path) ? call.path.slice(SHOP_BASE.length) || "/" : UNKNOWN;
  return guarded({ ...call, path }, { matches: routesAt(routes, path), limits }, async (each, matches) =>
    matches.length === 0 ? notFound() : handled(each, matches, shop),
  );
}

async function handled(call: Call, matches: Match<ShopRoute>[], shop: Shop): Promise<RouteResponse> {
  const method = call.method === "HEAD" ? "GET" : call.method;
  const match = matches.find(({ route }) => route.method === method);
  const caller = callerOf(call, shop);
  const refusal = accessError(match ? [match] : matches, caller, shop);
  if (refusal) return refusal;
  if (!match) return methodNotAllowed(call, matches);
  const problem = inputError(call, match);
  if (problem) return problem;
  const { user, credential } = caller;
  return match.route[shop.variant]!({ ...call, params: match.params, user, credential }, shop);
}

interface Caller extends Pick<ShopCall, "user" | "credential"> {
  /** True of a write with a cookie that does not repeat the CSRF token. */
  isForged: boolean;
}

function callerOf(call: Call, { sessions, users }: Shop): Caller {
  const known = (id: string | undefined): User => findById(users, id) ?? GUEST;
  if (!isOfDesk(call.path)) {
    const credential = bearer(call) ?? "";
    return { user: known(sessions.userOf(credential)), credential, isForged: false };
  }
  const credential = sessionCookieIn(call.headers.cookie);
  const session = sessions.deskUserOf(credential);
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(call.method);
  const isForged = !isRead && session !== undefined && call.headers["x-csrf-token"] !== session.csrf;
  return { user: known(session?.user), credential, isForged };
}

function accessError(
  matches: Match<ShopRoute>[],
  { user, isForged }: Caller,
  { variant }: Shop,
): RouteResponse | undefined {
  const routes = matches.map(({ route }) => route);
  if (routes.some(({ access }) => access === "public")) return undefined;
  if (user === GUEST) return unauthorized();
  if (isForged) return failure(403, "csrf", "Repeat the CSRF cookie in the X-CSRF-Token header");
  const isGuarded = ({ access, weaknesses }: ShopRoute): boolean =>
    access === "admin" && (variant === "hardened" || !weaknesses.some(isOfFunction));
  return user.role !== "admin" && routes.every(isGuarded) ? forbidden() : undefined;
}

const isOfFunction = ({ category }: ShopRoute["weaknesses"][number]): boolean =>
  category === "bflaAuthorization";
