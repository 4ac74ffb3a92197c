import { ApiError } from "@glovebox/contract";
import type { Express, NextFunction } from "express";
import type { Access } from "./http/admission.ts";
import { principalOf, type ApiRequest, type ApiResponse } from "./http/request-context.ts";
import { responded } from "./http/respond.ts";
import { ROUTES, type OperationId, type Route } from "./routes.ts";

export type Handler = (req: ApiRequest, res: ApiResponse) => void | Promise<void>;
export type Handlers = Readonly<Record<OperationId, Handler>>;

/** The client has gone before its answer: the status under which logs and metrics count it. */
const CLIENT_CLOSED_REQUEST = 499;

/** Binds every route of the table, and 405 with Allow for the other methods of its path. */
export function bindRoutes(app: Express, handlers: Handlers): void {
  for (const route of ROUTES)
    app[route.method](expressPath(route.path), (req, res) =>
      serve(route, handlers[route.operationId], { req, res: res as ApiResponse }),
    );
  for (const [path, allow] of allowedMethods())
    app.all(expressPath(path), (_req, res: ApiResponse) => {
      res.locals.context.route = path;
      throw new ApiError("method_not_allowed", `Allowed are ${allow}.`, { Allow: allow });
    });
  app.use((_req: ApiRequest, _res: ApiResponse, _next: NextFunction) => {
    throw new ApiError("not_found", "No such path.");
  });
}

/** Who may use a path, before it is known whether there is such a path: under /v1, the holders of keys. */
export function accessOf(path: string): Access {
  const exact = OPEN_PATHS.get(path);
  if (exact) return exact;
  if (path.startsWith("/v1/docs/")) return "address";
  return path === "/v1" || path.startsWith("/v1/") ? "key" : "address";
}

const OPEN_PATHS = new Map(
  ROUTES.filter(({ access }) => access !== "key").map(({ path, access }) => [path, access]),
);

async function serve(
  { path, scope }: Route,
  handler: Handler,
  { req, res }: { req: ApiRequest; res: ApiResponse },
): Promise<void> {
  res.locals.context.route = path;
  if (scope) requireScope(res, scope);
  await handler(req, res);
  if (!res.headersSent && res.destroyed) responded(res, CLIENT_CLOSED_REQUEST);
}

function requireScope(res: ApiResponse, scope: NonNullable<Route["scope"]>): void {
  const { scopes } = principalOf(res);
  if (scopes.length > 0 && !scopes.includes(scope))
    throw new ApiError("forbidden", `The API key lacks the scope ${scope}.`);
}

const expressPath = (template: string): string => template.replaceAll(/\{(\w+)\}/g, ":$1");

function allowedMethods(): Map<string, string> {
  const allowed = new Map<string, string>();
  for (const { path, method } of ROUTES) {
    const methods = method === "get" ? "GET, HEAD" : method.toUpperCase();
    allowed.set(path, [allowed.get(path), methods].filter(Boolean).join(", "));
  }
  return allowed;
}
