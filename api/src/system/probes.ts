import { ApiError } from "@glovebox/contract";
import type { SchemaState, Store } from "@glovebox/store";
import type { Handler } from "../bind-routes.ts";
import { respond, respondJson } from "../http/respond.ts";
import type { Metrics } from "../observability/metrics.ts";

/** GET /healthz: the process answers. Nothing that it depends on is asked, so an outage elsewhere restarts nothing. */
export const health: Handler = (_req, res) => respondJson(res, { status: "ok" });

/** GET /readyz: started, not shutting down, and the database answers and has the schema. */
export function readiness(store: Pick<Store, "schemaState">, isRunning: () => boolean): Handler {
  return async (_req, res) => {
    if (!isRunning()) throw notReady("The service is starting or shutting down.");
    const reason = unreadyReason(await store.schemaState());
    if (reason !== undefined) throw notReady(reason);
    respondJson(res, { status: "ready" });
  };
}

/** Why a database with such a schema cannot be used; undefined where it can. */
export function unreadyReason(schema: SchemaState): string | undefined {
  if (schema === "missing") return "The database has no Glovebox schema; it has to be migrated.";
  if (schema === "older") return "The database has an older schema; it has to be migrated.";
  return undefined;
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
