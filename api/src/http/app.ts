import express, { type Express, type NextFunction } from "express";
import type { Logger } from "pino";
import { describeFault } from "../observability/logger.ts";
import { errorReply, isUnexpected } from "./error-reply.ts";
import type { ApiRequest, ApiResponse } from "./request-context.ts";
import { respond } from "./respond.ts";

type Admission = (req: ApiRequest, res: ApiResponse, next: NextFunction) => void | Promise<void>;

export interface AppParts {
  readonly admission: Admission;
  readonly bindRoutes: (app: Express) => void;
  readonly trustProxy: number | string | false;
  readonly logger: Logger;
}

/** The Express application: admission, then the request's route, then the response to an error. */
export function createApp({ admission, bindRoutes, trustProxy, logger }: AppParts): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.set("case sensitive routing", true);
  app.set("strict routing", true);
  app.set("trust proxy", trustProxy);
  app.use((req, res, next) => admission(req, res as ApiResponse, next));
  bindRoutes(app);
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
  const { requestId, route } = res.locals.context;
  if (isUnexpected(error)) logger.error({ requestId, route, ...describeFault(error) }, "unexpected failure");
  // Half a response cannot be taken back; only cutting it off shows that it is not whole.
  if (res.headersSent) res.destroy();
  else respond(res, errorReply(error, requestId));
}
