import type { Account } from "./accounts.ts";
import type { Clinic } from "./clinic.ts";
import { bearer, empty, failure, forbidden, invalid, notFound, unauthorized } from "./response.ts";
import type { Call, RouteResponse, Route } from "./route.ts";
import { type Match, routesAt } from "./router.ts";
import type { Allowance, TokenBuckets } from "./token-bucket.ts";
import { requestError, schemaError } from "./validation.ts";

const HEADERS = {
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

/**
 * Checks each request in the same order: rate limit, path, credentials, role, method, input, and then calls the handler. So a
 * response reveals nothing about later steps.
 */
export async function handleHardened(
  call: Call,
  { routes, clinic, limits }: { routes: readonly Route[]; clinic: Clinic; limits: Limits },
): Promise<RouteResponse> {
  const matches = routesAt(routes, call.path);
  const { limit, allowed, remaining, resetSeconds } = allowance(call, { matches, limits });
  const response = allowed ? await handle(call, { matches, clinic }) : tooMany(resetSeconds);
  const rateHeaders = {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds),
  };
  return { ...response, headers: { ...HEADERS, ...rateHeaders, ...response.headers } };
}

/** Rate limits of one client address: in total, and for one path. */
export interface Limits {
  overall: TokenBuckets;
  perPath: TokenBuckets;
}

export function tooMany(seconds: number): RouteResponse {
  const response = failure(429, "too_many_requests", "Wait before you send more requests");
  return { ...response, headers: { ...response.headers, "retry-after": String(Math.max(1, seconds)) } };
}

async function handle(
  call: Call,
  { matches, clinic }: { matches: Match[]; clinic: Clinic },
): Promise<RouteResponse> {
  if (matches.length === 0) return notFound();
  const account = accountOf(call, clinic);
  const method = call.method === "HEAD" ? "GET" : call.method;
  const match = matches.find(({ route }) => route.method === method);
  const refusal = accessError(
    (match ? [match] : matches).map(({ route }) => route),
    account,
  );
  if (refusal) return refusal;
  if (!match) return methodNotAllowed(call, matches);
  const problem = inputError(call, match);
  if (problem) return problem;
  return match.route.hardened!({ ...call, params: match.params, ...(account && { account }) }, clinic);
}

/** The stricter of both limits. Unknown paths have no separate limit, so that clients cannot exhaust the memory with them. */
function allowance(call: Call, { matches, limits }: { matches: Match[]; limits: Limits }): Allowance {
  const overall = limits.overall.take(call.address);
  const [match] = matches;
  if (!match || !overall.allowed) return overall;
  const own = limits.perPath.take(`${call.address} ${match.route.path}`);
  return own.remaining <= overall.remaining ? own : overall;
}

function accountOf(call: Call, clinic: Clinic): Account | undefined {
  const token = bearer(call);
  return clinic.accounts.find((account) => account.token === token);
}

function accessError(routes: Route[], account: Account | undefined): RouteResponse | undefined {
  if (routes.some(({ access }) => access === "public")) return undefined;
  if (!account) return unauthorized();
  return routes.every(({ access }) => access === "admin") && account.role !== "admin"
    ? forbidden()
    : undefined;
}

function methodNotAllowed(call: Call, matches: Match[]): RouteResponse {
  const methods = matches.map(({ route }) => route.method);
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (call.method === "OPTIONS") return empty(204, { allow });
  const response = failure(405, "method_not_allowed", "This resource has no such method");
  return { ...response, headers: { ...response.headers, allow } };
}

function inputError(call: Call, { route, params }: Match): RouteResponse | undefined {
  const operation = route.operation ?? { summary: "", tag: "" };
  const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  if (declared.some(({ name, schema }) => schemaError(params[name], schema))) return notFound();
  if (operation.body && !/^application\/json\b/i.test(call.headers["content-type"] ?? "")) {
    return failure(415, "unsupported_media_type", "Send application/json");
  }
  const problem = requestError(call, operation);
  return problem ? invalid(problem) : undefined;
}
