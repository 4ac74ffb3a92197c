import { ApiError } from "@glovebox/contract";
import type { SchemaState } from "@glovebox/store";
import type { Services } from "../deps.ts";
import { RETRY_AFTER, jsonResponse } from "../http/respond.ts";
import { createRoute } from "../http/route.ts";

/** Liveness. Does not check dependencies, so that their outages restart nothing. */
export const getHealth = createRoute({
  operationId: "getHealth",
  method: "get",
  path: "/healthz",
  access: "probe",
  handler: () => jsonResponse({ status: "ok" }),
});

/** Started, not shutting down, and the database responds, has the schema, and has had room for what was written. */
export const getReadiness = createRoute({
  operationId: "getReadiness",
  method: "get",
  path: "/readyz",
  access: "probe",
  async handler(_request, { store, isRunning }: Services) {
    if (!isRunning()) throw notReady("The service is starting or shutting down.");
    const reason = unreadyReason(await store.schemaState());
    if (reason !== undefined) throw notReady(reason);
    if (store.isExhausted()) throw notReady("The database has no disk space or memory left.");
    return jsonResponse({ status: "ready" });
  },
});

/** In the Prometheus text format, unless it has a separate port (metrics-server.ts). */
export const getMetrics = createRoute({
  operationId: "getMetrics",
  method: "get",
  path: "/metrics",
  access: "probe",
  async handler(_request, { metrics: { registry }, settings }: Services) {
    if (settings.metricsPort !== undefined) throw new ApiError("not_found", "No such path.");
    const headers = { "Content-Type": registry.contentType };
    return { status: 200, headers, body: await registry.metrics() };
  },
});

/** Why a database with this schema cannot be used; undefined if it can. */
export function unreadyReason(schema: SchemaState): string | undefined {
  if (schema === "missing") return "The database has no Glovebox schema; migrate it.";
  if (schema === "older") return "The database has an older schema; migrate it.";
  return undefined;
}

const notReady = (message: string): ApiError =>
  new ApiError("unavailable", message, { headers: RETRY_AFTER });
