import { ApiError } from "@glovebox/contract";
import type { Store } from "@glovebox/store";
import type { Handler } from "../bind-routes.ts";
import { respond, respondJson } from "../http/respond.ts";
import type { Metrics } from "./metrics.ts";

/** GET /healthz: the process answers. Nothing that it depends on is asked, so an outage elsewhere restarts nothing. */
export const health: Handler = (_req, res) => respondJson(res, { status: "ok" });

/** GET /readyz: started, not shutting down, and the database answers. */
export function readiness(store: Store, isRunning: () => boolean): Handler {
  return async (_req, res) => {
    if (!isRunning()) throw notReady("The service is starting or shutting down.");
    await store.ping();
    respondJson(res, { status: "ready" });
  };
}

/** GET /metrics, in the Prometheus text format. */
export function metricsPage({ registry }: Metrics): Handler {
  return async (_req, res) =>
    respond(res, {
      status: 200,
      headers: { "Content-Type": registry.contentType },
      body: await registry.metrics(),
    });
}

const notReady = (message: string): ApiError => new ApiError("unavailable", message, { "Retry-After": "5" });
