import type { Clinic } from "./clinic.ts";
import { empty, json } from "./response.ts";
import type { Call, RouteResponse, Route } from "./route.ts";
import { type Match, routesAt } from "./router.ts";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE";

/**
 * Calls the handlers without common checks, with weaknesses for all routes: access control uses the path of the request line, but the
 * router uses `X-Original-URL`; a header replaces the method; CORS allows any origin with credentials; errors contain stack traces;
 * `TRACE` is enabled; the banners contain versions.
 */
export async function handleVulnerable(
  call: Call,
  { routes, clinic }: { routes: readonly Route[]; clinic: Clinic },
): Promise<RouteResponse> {
  const response = await routed(call, { routes, clinic });
  return { ...response, headers: { ...banners(call), ...response.headers } };
}

async function routed(
  call: Call,
  { routes, clinic }: { routes: readonly Route[]; clinic: Clinic },
): Promise<RouteResponse> {
  if (call.method === "TRACE") return echo(call);
  const path = rewritten(call);
  const matches = routesAt(routes, path);
  const method = overridden(call);
  if (method === "OPTIONS") return options(call, matches);
  const match = matches.find(({ route }) => route.method === (method === "HEAD" ? "GET" : method));
  if (!match) return missing(call, matches);
  try {
    return await match.route.vulnerable!({ ...call, method, params: match.params }, clinic);
  } catch (error) {
    const { message, stack } = error as Error;
    return json(error instanceof SyntaxError ? 400 : 500, { error: message, stack });
  }
}

function rewritten(call: Call): string {
  const target = call.headers["x-original-url"] ?? call.headers["x-rewrite-url"] ?? call.path;
  return String(target).split("?")[0]!;
}

function overridden(call: Call): string {
  return String(
    call.headers["x-http-method-override"] ?? call.headers["x-method-override"] ?? call.method,
  ).toUpperCase();
}

function options(call: Call, matches: Match[]): RouteResponse {
  if (matches.length === 0) return missing(call, matches);
  return empty(204, { allow: METHODS, "access-control-allow-methods": METHODS });
}

function missing(call: Call, matches: Match[]): RouteResponse {
  if (matches.length > 0)
    return json(405, { error: `Cannot ${call.method} ${call.path}` }, { allow: METHODS });
  return json(404, { error: `Cannot ${call.method} ${call.path}` });
}

function echo(call: Call): RouteResponse {
  const lines = Object.entries(call.headers).map(([name, value]) => `${name}: ${String(value)}`);
  const body = [`TRACE ${call.path} HTTP/1.1`, ...lines, ""].join("\r\n");
  return { status: 200, headers: { "content-type": "message/http" }, body };
}

function banners(call: Call): RouteResponse["headers"] {
  const { origin } = call.headers;
  const shared = { server: "Apache/2.4.29 (Ubuntu)", "x-powered-by": "PHP/7.2.34" };
  if (origin === undefined) return shared;
  return {
    ...shared,
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-headers": "authorization, content-type",
  };
}
