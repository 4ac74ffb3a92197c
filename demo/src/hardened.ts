import type { Account } from "./accounts.ts";
import type { Clinic } from "./clinic.ts";
import { type Limits, guarded, inputError, methodNotAllowed } from "./guards.ts";
import { bearer, forbidden, notFound, unauthorized } from "./response.ts";
import type { Call, RouteResponse, Route } from "./route.ts";
import { type Match, routesAt } from "./router.ts";

/**
 * Checks each request in the same order: rate limit, path, credentials, role, method, input, and then calls the handler. So a response
 * reveals nothing about later steps.
 */
export const handleHardened = (
  call: Call,
  { routes, clinic, limits }: { routes: readonly Route[]; clinic: Clinic; limits: Limits },
): Promise<RouteResponse> =>
  guarded(call, { matches: routesAt(routes, call.path), limits }, (each, matches) =>
    handle(each, { matches, clinic }),
  );

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
