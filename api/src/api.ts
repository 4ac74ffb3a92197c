import type { IncomingHttpHeaders, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { StoreEvent } from "@glovebox/store";
import { ADMIN_PATH, adminErrorResponse, callsIn, serveAdmin } from "./admin/serve.ts";
import { builtDashboard, openDashboardFiles } from "./dashboard/dashboard-files.ts";
import { assetOperations, serveDashboard } from "./dashboard/dashboard.ts";
import { BatchWriter } from "./background/batch-writer.ts";
import { DEFAULT_API_SETTINGS, type ApiDeps, type ApiSettings } from "./deps.ts";
import { createAccessControl } from "./http/access-control.ts";
import { createApp } from "./http/app.ts";
import { createRequestLog } from "./http/request-context.ts";
import { rejectMalformed, createHttpServer, startServer, stopServer } from "./http/server.ts";
import { ApiKeyCache } from "./keys/api-key-cache.ts";
import { openRateCounter } from "./limits/rate-counter.ts";
import { createApiMetrics, type ApiMetrics } from "./observability.ts";
import { ReportWorkers } from "./reports/report-workers.ts";
import { ROUTES } from "./routes.ts";
import { createScheduleRunner } from "./schedules/runner.ts";
import { ScanHub } from "./scans/scan-watch.ts";
import { DnsLookups, createTargetGuard } from "./scans/target-guard.ts";
import { publicUrlOf } from "./sign-in/public-url.ts";
import { sessionOf } from "./sign-in/sign-in-cookies.ts";
import { createMetricsServer } from "./system/metrics-server.ts";
import { createDeliverer } from "./webhooks/deliverer.ts";
import { createSignIn } from "./sign-in/sign-in.ts";

export interface Api {
  /** Handles requests; for callers with their own server, which then does not have the limits of this package. */
  readonly handler: RequestListener;
  /** Subscribes to the events of the store and listens for requests; rejects when either fails. */
  start(): Promise<void>;
  /** Address of the server, such as http://127.0.0.1:8080. */
  url(): string;
  /** Where browsers reach it; undefined: not known. */
  publicUrl(): URL | undefined;
  /** Responds to held requests, waits for open ones, and closes everything but the store. */
  close(): Promise<void>;
}

const LAST_USED_MS = 10_000;

/** The API: `/v1`, the admin interface and the dashboard. It does nothing before `start`. */
export function createApi(deps: ApiDeps): Api {
  const { store, logger, now } = deps;
  const settings = { ...DEFAULT_API_SETTINGS, ...deps.settings };
  const parts = partsOf(deps, settings);
  const { closing, state, hub, metrics, targetGuard, limits } = parts;
  const dashboard = openDashboardFiles(builtDashboard());
  const findSession = (headers: IncomingHttpHeaders) => sessionOf(headers, store.sessions);
  const publicUrl = () => publicUrlOf(settings.publicUrl, server.address() as AddressInfo | null);
  const app = createApp({
    routes: ROUTES,
    mounts: [{ path: ADMIN_PATH, serve: serveAdmin, errorResponse: adminErrorResponse }],
    services: {
      ...{ store, launcher: deps.launcher, logger, now, settings, hub, metrics, targetGuard },
      isRunning: () => state.isListening && !closing.signal.aborted,
      closing: closing.signal,
      signIn: createSignIn(settings, { counter: limits.counter, logger }),
      ...{ publicUrl, reports: parts.reports },
    },
    accessControl: createAccessControl({
      operations: dashboard ? [...ROUTES, ...assetOperations(dashboard)] : ROUTES,
      ...{ apiKeys: parts.apiKeys, lastUsed: parts.lastUsed, callsIn, ...limits },
      sessionOf: findSession,
    }),
    onResponse: createRequestLog({ logger, metrics, logEveryRequest: settings.logEveryRequest }),
    isClosing: () => closing.signal.aborted,
    trustProxy: settings.trustProxy,
    unmatched:
      dashboard &&
      serveDashboard({
        ...{ files: dashboard, sessionOf: findSession, accounts: store.accounts },
        selectAccount: (sessionId, accountId) => store.sessions.selectAccount(sessionId, accountId),
      }),
    ...{ logger, ...limits },
  });
  const server = createHttpServer(app, settings);
  rejectMalformed(server, { ...limits, metrics });
  const url = () => listenUrl(server.address() as AddressInfo);
  return { handler: app.handler, url, publicUrl, ...lifecycle({ ...parts, store, settings, server }) };
}

/** The parts of the API that start, stop or keep state. */
function partsOf(deps: ApiDeps, settings: ApiSettings) {
  const { store, now } = deps;
  const lookups = new DnsLookups(deps.egress.lookup, settings.maxLookups);
  const hub = new ScanHub(settings.maxWaiters);
  const reports = new ReportWorkers();
  const deliverer = settings.webhooks ? createDeliverer({ ...deps, reports }) : undefined;
  const targetGuard = createTargetGuard({
    ...{ policy: deps.egress.policy, allow: settings.egressAllow, lookups, now },
  });
  const others = [...(deps.metrics ?? []), ...(deliverer?.metrics ?? [])];
  const metrics = createApiMetrics(() => hub.size, others);
  return {
    ...{ hub, reports, deliverer, targetGuard, metrics },
    closing: new AbortController(),
    state: { isListening: false },
    scheduleRunner: createScheduleRunner({ ...deps, targetGuard, metrics }),
    apiKeys: new ApiKeyCache(store.keys, now),
    lastUsed: lastUsedWriter(deps),
    limits: rateLimits(deps, settings, metrics),
    metricsServer: settings.metricsPort === undefined ? undefined : createMetricsServer(metrics.registry),
  };
}

function lifecycle(
  parts: ReturnType<typeof partsOf> &
    Pick<ApiDeps, "store"> & { readonly settings: ApiSettings; readonly server: Server },
): Pick<Api, "start" | "close"> {
  const { settings, server, metricsServer, deliverer, scheduleRunner, hub } = parts;
  let stopListening: (() => Promise<void>) | undefined;
  return {
    async start() {
      stopListening = await parts.store.events.listen((event) => onStoreEvent(event, parts));
      const { host, metricsPort } = settings;
      if (metricsServer) await startServer(metricsServer, { host, port: metricsPort! });
      await startServer(server, settings);
      await deliverer?.start();
      scheduleRunner.start();
      parts.state.isListening = true;
    },
    async close() {
      parts.closing.abort();
      hub.close();
      await stopServer(server, settings.shutdownMs);
      if (metricsServer) await stopServer(metricsServer, 0);
      await Promise.allSettled([
        deliverer?.stop(),
        scheduleRunner.stop(),
        stopListening?.(),
        parts.lastUsed.close(),
        parts.limits.counter.close(),
      ]);
      await parts.reports.close();
    },
  };
}

function onStoreEvent(
  event: StoreEvent,
  { apiKeys, metrics, hub }: { apiKeys: ApiKeyCache; metrics: ApiMetrics; hub: ScanHub },
): void {
  if (event.type === "keyRevoked") apiKeys.forget(event.keyId);
  else if (event.type === "reconnected") apiKeys.forgetAll();
  else if (event.type === "scanEnded") metrics.scansEnded.inc();
  hub.publish(event);
}

function rateLimits({ redisUrl, logger, now }: ApiDeps, settings: ApiSettings, metrics: ApiMetrics) {
  const fallback = metrics.rateLimiterFallback;
  const counter = openRateCounter({ redisUrl, logger, now, fallback });
  return { counter, addressLimit: settings.addressRequestsPerMinute, now };
}

/** Records when keys were used, in batches. */
function lastUsedWriter({ store, logger }: ApiDeps): BatchWriter<Date> {
  return new BatchWriter({
    write: (batch) => store.keys.touch(batch),
    onFailure: (error) =>
      logger.warn({ error: (error as Error).name }, "last use of keys could not be recorded, retrying"),
    everyMs: LAST_USED_MS,
  });
}

const listenUrl = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
