import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { ApiError } from "@glovebox/contract";
import express, { type Express, type NextFunction } from "express";
import type { Logger } from "pino";
import { clientAddress } from "../limits/client-network.ts";
import { uncounted } from "../limits/rate-limit.ts";
import { describeFault } from "../observability.ts";
import type { AccessControl } from "./access-control.ts";
import type { ApiRequest, ApiResponse, RequestContext } from "./request-context.ts";
import { errorResponse, isUnexpected, respond, responded } from "./respond.ts";
import type { Route } from "./route.ts";

/** Responds to every request below a path, in its own way. */
export interface Mount<Services> {
  readonly path: string;
  readonly serve: (req: ApiRequest, res: ApiResponse, services: Services) => Promise<void>;
  /** The response to what is refused before `serve` responds, in the form of its errors. */
  readonly errorResponse: typeof errorResponse;
}

/** The status in logs and metrics of a request whose client disconnected before the response (as nginx). */
const CLIENT_CLOSED_REQUEST = 499;

export interface AppParts<Services> extends Pick<RequestContext, "onResponse" | "isClosing"> {
  readonly routes: readonly Route<Services>[];
  readonly mounts: readonly Mount<Services>[];
  readonly services: Services;
  readonly accessControl: AccessControl;
  /** Requests a minute of one address; shown in responses that were not counted. */
  readonly addressLimit: number;
  readonly now: () => Date;
  readonly trustProxy: number | string;
  readonly logger: Logger;
  /** Responds where no route matches, or leaves it to the 404. */
  readonly unmatched?: UnmatchedHandler | undefined;
}

export type UnmatchedHandler = (req: ApiRequest, res: ApiResponse, next: NextFunction) => Promise<void>;

export interface Application {
  readonly handler: RequestListener;
  /** For the prototypes of its requests and responses. */
  readonly express: Express;
}

/** The Express application: request context, access control, the request's route, and the response to an error. */
export function createApp<Services>(parts: AppParts<Services>): Application {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.set("case sensitive routing", true);
  app.set("strict routing", true);
  app.set("trust proxy", parts.trustProxy);
  app.use((req, res, next) => openContext(parts, { req, res: res as ApiResponse, next }));
  bindMounts(app, parts);
  bindRoutes(app, parts);
  return {
    express: app,
    // Express calls the last function with the error that no handler has handled.
    handler: (req, res) =>
      app(req as ApiRequest, res as ApiResponse, (error) => respondError(error, res as ApiResponse, parts)),
  };
}

/** Creates the request context and checks the access. Rejects when the request is refused. */
async function openContext<Services>(
  parts: AppParts<Services>,
  { req, res, next }: { req: ApiRequest; res: ApiResponse; next: NextFunction },
): Promise<void> {
  const { accessControl, addressLimit, now, onResponse, isClosing } = parts;
  const context: RequestContext = {
    requestId: randomUUID(),
    address: clientAddress(req.ip),
    startedAt: performance.now(),
    route: "unmatched",
    rate: uncounted(addressLimit, now()),
    principal: undefined,
    session: undefined,
    recheckAccess: async () => undefined,
    onResponse,
    isClosing,
  };
  res.locals.context = context;
  await accessControl(req, context);
  refuseAmbiguousHeaders(req);
  next();
}

/**
 * Headers that make a request ambiguous (RFC 9112, section 3.2; RFC 9110, section 10.1.1).
 * @throws ApiError `invalid_request`
 */
function refuseAmbiguousHeaders(req: ApiRequest): void {
  if (req.httpVersionMinor === 1 && req.httpVersionMajor === 1 && req.headers.host === undefined)
    throw new ApiError("invalid_request", "is required", { field: "Host" });
  // node:http uses the first; a proxy in front may have used the last.
  const { rawHeaders } = req; // names and values in turn
  if (rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length > 1)
    throw new ApiError("invalid_request", "occurs more than once", { field: "Host" });
  const { expect } = req.headers;
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    throw new ApiError("invalid_request", "only 100-continue is supported", { field: "Expect" });
}

function bindMounts<Services>(app: Express, { mounts, services }: AppParts<Services>): void {
  for (const { path, serve } of mounts)
    app.all(`${path}/{*rest}`, (req, res: ApiResponse) => serve(req, res, services));
}

/** Every route, 405 with Allow for the other methods of its path, and 404 for other paths. */
function bindRoutes<Services>(app: Express, { routes, services, unmatched }: AppParts<Services>): void {
  const allowed = new Map<string, string>();
  for (const { method, path, handle } of routes) {
    const methods = method === "get" ? "GET, HEAD" : method.toUpperCase();
    allowed.set(path, [allowed.get(path), methods].filter(Boolean).join(", "));
    app[method](expressPath(path), async (req, res: ApiResponse) => {
      res.locals.context.route = path;
      const response = await handle(req, res, services);
      if (response) respond(res, response);
      if (!res.headersSent && res.destroyed) responded(res, CLIENT_CLOSED_REQUEST);
    });
  }
  for (const [path, allow] of allowed)
    app.all(expressPath(path), (_req, res: ApiResponse) => {
      res.locals.context.route = path;
      throw new ApiError("method_not_allowed", `Allowed are ${allow}.`, { headers: { Allow: allow } });
    });
  if (unmatched) app.use((req, res, next) => unmatched(req, res as ApiResponse, next));
  app.use(() => {
    throw new ApiError("not_found", "No such path.");
  });
}

const expressPath = (template: string): string => template.replaceAll(/\{(\w+)\}/g, ":$1");

function respondError(
  error: unknown,
  res: ApiResponse,
  {
    logger,
    mounts,
  }: Pick<AppParts<unknown>, "logger"> & {
    readonly mounts: readonly Pick<Mount<unknown>, "path" | "errorResponse">[];
  },
): void {
  const { requestId, route } = res.locals.context;
  if (isUnexpected(error)) logger.error({ requestId, route, ...describeFault(error) }, "unexpected failure");
  // The response has begun: closing the connection shows the client that it is incomplete.
  if (res.headersSent) return void res.destroy();
  const mount = mounts.find(({ path }) => res.req.path.startsWith(`${path}/`));
  respond(res, (mount?.errorResponse ?? errorResponse)(error, requestId));
}
