import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { StoreEvent } from "@glovebox/store";
import { accessOf, bindRoutes } from "./bind-routes.ts";
import { DEFAULT_SETTINGS, type ApiDeps, type ApiSettings } from "./deps.ts";
import { createHandlers } from "./handlers.ts";
import { createAdmission } from "./http/admission.ts";
import { createApp } from "./http/app.ts";
import { answerMalformed } from "./http/malformed.ts";
import { createRequestLog } from "./http/request-log.ts";
import { createHttpServer, startServer, stopServer } from "./http/server.ts";
import { ApiKeyCache } from "./keys/api-key-cache.ts";
import { LastUsed } from "./keys/last-used.ts";
import { openRateCounter } from "./limits/rate-counter.ts";
import { createMetrics } from "./observability/metrics.ts";
import { LookUps } from "./scans/look-ups.ts";
import { ScanHub } from "./scans/scan-hub.ts";
import { createTargetGuard } from "./scans/target-guard.ts";

export interface Api {
  /** Answers requests; for callers with a server of their own, which then lacks the limits of this package. */
  readonly handler: RequestListener;
  /** Listens for the store's events and for requests; rejects when either cannot be had. */
  start(): Promise<void>;
  /** Where it listens, such as http://127.0.0.1:8080. */
  url(): string;
  /** Answers held requests, waits for open ones, and closes everything but the store. */
  close(): Promise<void>;
}

/** The /v1 REST interface over a store. Nothing happens before `start`. */
export function createApi(deps: ApiDeps): Api {
  const { store, logger, now } = deps;
  const settings = { ...DEFAULT_SETTINGS, ...deps.settings };
  let state: "new" | "running" | "closing" = "new";
  const lookUps = new LookUps(deps.egress.lookup, settings.maxLookUps);
  const hub = new ScanHub(settings.maxWaiters);
  const metrics = createMetrics(() => hub.size);
  for (const metric of deps.metrics ?? []) metrics.registry.registerMetric(metric);
  const apiKeys = new ApiKeyCache(store.keys, now);
  const lastUsed = new LastUsed(store.keys, logger);
  const fallback = metrics.rateLimiterFallback;
  const counter = openRateCounter({ redisUrl: deps.redisUrl, logger, now, fallback });
  const addressLimit = settings.addressRequestsPerMinute;
  const onResponse = createRequestLog({ logger, metrics, logEveryRequest: settings.logEveryRequest });

  const handlers = createHandlers(
    { ...deps, guard: createTargetGuard(deps.egress.policy), lookUps, hub, metrics, settings },
    () => state === "running",
  );
  const app = createApp({
    admission: createAdmission({
      ...{ accessOf, apiKeys, lastUsed, counter, addressLimit, now, onResponse },
      isClosing: () => state === "closing",
    }),
    bindRoutes: (express) => bindRoutes(express, handlers),
    trustProxy: settings.trustProxy,
    logger,
  });
  const server = createHttpServer(app, settings);
  answerMalformed(server, { counter, addressLimit, now, metrics });

  const onEvent = (event: StoreEvent): void => {
    if (event.type === "keyRevoked") apiKeys.forget(event.keyId);
    else if (event.type === "reconnected") apiKeys.forgetAll();
    else if (event.type === "scanEnded") metrics.scansEnded.inc();
    hub.publish(event);
  };
  return lifecycle({
    server,
    settings,
    handler: app,
    listen: () => store.events.listen(onEvent),
    onState: (next) => {
      state = next;
      if (next === "closing") hub.close();
    },
    release: () => Promise.allSettled([lastUsed.close(), counter.close()]),
  });
}

interface LifecycleParts {
  readonly server: Server;
  readonly settings: ApiSettings;
  readonly handler: RequestListener;
  /** Subscribes to the store's events; returns the function that ends the subscription. */
  readonly listen: () => Promise<() => Promise<void>>;
  readonly onState: (state: "running" | "closing") => void;
  readonly release: () => Promise<unknown>;
}

function lifecycle({ server, settings, handler, listen, onState, release }: LifecycleParts): Api {
  let stopListening: (() => Promise<void>) | undefined;
  return {
    handler,
    async start() {
      stopListening = await listen();
      await startServer(server, settings);
      onState("running");
    },
    url: () => urlOf(server.address() as AddressInfo),
    async close() {
      onState("closing");
      await stopServer(server, settings.shutdownMs);
      await Promise.allSettled([stopListening?.(), release()]);
    },
  };
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
