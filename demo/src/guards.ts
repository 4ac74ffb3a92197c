import { empty, failure, invalid, notFound } from "./response.ts";
import type { Call, Operation, RouteResponse } from "./route.ts";
import type { Match } from "./router.ts";
import type { Allowance, TokenBuckets } from "./token-bucket.ts";
import { parameterError, requestError } from "./validation.ts";

/** What every response of a well-configured API has. */
const HEADERS = {
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

/** Rate limits of one client address: in total, and for one path. */
export interface Limits {
  overall: TokenBuckets;
  perPath: TokenBuckets;
}

/** A route as far as the guards read it. */
export interface Guarded {
  method: string;
  path: string;
  operation?: Operation;
}

/** Handles the call unless it exceeds a rate limit; adds the security headers and the limits to the response. */
export async function guarded<R extends Guarded>(
  call: Call,
  { matches, limits }: { matches: Match<R>[]; limits: Limits },
  handle: (call: Call, matches: Match<R>[]) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const { limit, allowed, remaining, resetSeconds } = allowance(call, { matches, limits });
  const response = allowed ? await handle(call, matches) : tooMany(resetSeconds);
  const rateHeaders = {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds),
  };
  return { ...response, headers: { ...HEADERS, ...rateHeaders, ...response.headers } };
}

export function tooMany(seconds: number): RouteResponse {
  const response = failure(429, "too_many_requests", "Wait before you send more requests");
  return { ...response, headers: { ...response.headers, "retry-after": String(Math.max(1, seconds)) } };
}

/** The stricter of both limits. Unknown paths have no limit of their own, so that clients cannot exhaust the memory with them. */
function allowance(
  call: Call,
  { matches, limits }: { matches: Match<Guarded>[]; limits: Limits },
): Allowance {
  const overall = limits.overall.take(call.address);
  const [match] = matches;
  if (!match || !overall.allowed) return overall;
  const own = limits.perPath.take(`${call.address} ${match.route.path}`);
  return own.remaining <= overall.remaining ? own : overall;
}

export function methodNotAllowed(call: Call, matches: Match<Guarded>[]): RouteResponse {
  const methods = matches.map(({ route }) => route.method);
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (call.method === "OPTIONS") return empty(204, { allow });
  const response = failure(405, "method_not_allowed", "This resource has no such method");
  return { ...response, headers: { ...response.headers, allow } };
}

/** The response to a request that its operation does not accept; undefined if it is valid. */
export function inputError(call: Call, { route, params }: Match<Guarded>): RouteResponse | undefined {
  const operation = route.operation ?? { summary: "", tag: "" };
  const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  if (declared.some((parameter) => parameterError(params[parameter.name] ?? "", parameter)))
    return notFound();
  if (operation.body && !/^application\/json\b/i.test(call.headers["content-type"] ?? "")) {
    return failure(415, "unsupported_media_type", "Send application/json");
  }
  const problem = requestError(call, operation);
  return problem ? invalid(problem) : undefined;
}
