import express, { type Express, type NextFunction } from "express";
import type { Logger } from "pino";
import { bindRoutes, type Handlers } from "../bind-routes.ts";
import { describeFault } from "../system/request-log.ts";
import type { ApiRequest, ApiResponse } from "./call.ts";
import { failureReply, isUnexpected } from "./failure-reply.ts";
import { respond } from "./respond.ts";

type Step = (req: ApiRequest, res: ApiResponse, next: NextFunction) => void | Promise<void>;

export interface AppParts {
  /** In this order, before the routes. */
  readonly steps: readonly Step[];
  readonly handlers: Handlers;
  readonly trustProxy: number | string | false;
  readonly logger: Logger;
}

/** The Express application: first the steps that every request takes, then its route, then what it came to. */
export function createApp({ steps, handlers, trustProxy, logger }: AppParts): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.set("case sensitive routing", true);
  app.set("strict routing", true);
  app.set("trust proxy", trustProxy);
  for (const step of steps) app.use((req, res, next) => step(req, res as ApiResponse, next));
  bindRoutes(app, handlers);
  // oxlint-disable-next-line max-params -- Express knows an error handler by its four parameters
  app.use((error: unknown, _req: ApiRequest, res: ApiResponse, _next: NextFunction) => {
    fail({ error, res, logger });
  });
  return app;
}

interface Failure {
  readonly error: unknown;
  readonly res: ApiResponse;
  readonly logger: Logger;
}

function fail({ error, res, logger }: Failure): void {
  const { requestId, route } = res.locals.call;
  if (isUnexpected(error)) logger.error({ requestId, route, ...describeFault(error) }, "unexpected failure");
  // Half an answer cannot be taken back; cutting it off is the only way to say that it is not whole.
  if (res.headersSent) res.destroy();
  else respond(res, failureReply(error, requestId));
}
