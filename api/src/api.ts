import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { StoreEvent } from "@glovebox/store";
import { accessOf } from "./bind-routes.ts";
import { DEFAULT_SETTINGS, type ApiDeps, type ApiSettings } from "./deps.ts";
import { createHandlers } from "./handlers.ts";
import { createBegin } from "./http/begin.ts";
import { createApp } from "./http/create-app.ts";
import { answerMalformed } from "./http/malformed.ts";
import { createHttpServer } from "./http/server.ts";
import { startServer, stopServer } from "./http/listening.ts";
import { KeyRing } from "./keys/key-ring.ts";
import { LastUsed } from "./keys/last-used.ts";
import { createAdmission } from "./limits/admission.ts";
import { openCounter } from "./limits/open-counter.ts";
import { LookUps } from "./scans/look-ups.ts";
import { ScanHub } from "./scans/scan-hub.ts";
import { createTargetGuard } from "./scans/target-guard.ts";
import { createMetrics } from "./system/metrics.ts";
import { createRequestLog } from "./system/request-log.ts";

export interface Api {
  /** Answers requests; for callers with a server of their own, which then lacks this room's limits. */
  readonly handler: RequestListener;
  /** Listens for the store's events and for requests; rejects when either cannot be had. */
  start(): Promise<void>;
  /** Where it listens, such as http://127.0.0.1:8080. */
  url(): string;
  /** Ends held requests in good order, waits for open ones, and lets go of all but the store. */
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
  const keyRing = new KeyRing(store.keys, now);
  const lastUsed = new LastUsed(store.keys, logger);
  const fallback = metrics.rateLimiterFallback;
  const counter = openCounter({ redisUrl: deps.redisUrl, logger, now, fallback });
  const addressLimit = settings.addressRequestsPerMinute;
  const ended = createRequestLog({ logger, metrics, logEveryRequest: settings.logEveryRequest });

  const app = createApp({
    steps: [
      createBegin({ now, addressLimit, ended, closing: () => state === "closing" }),
      createAdmission({ accessOf, keyRing, lastUsed, counter, addressLimit, now }),
    ],
    handlers: createHandlers(
      { ...deps, guard: createTargetGuard(deps.egress.policy), lookUps, hub, metrics, settings },
      () => state === "running",
    ),
    trustProxy: settings.trustProxy,
    logger,
  });
  const server = createHttpServer(app, settings);
  answerMalformed(server, { counter, addressLimit, now, metrics });

  const onEvent = (event: StoreEvent): void => {
    if (event.type === "keyRevoked") keyRing.forget(event.keyId);
    else if (event.type === "reconnected") keyRing.forgetAll();
    else if (event.type === "scanEnded") metrics.scansEnded.inc();
    hub.publish(event);
  };
  return lifecycle({
    server,
    settings,
    handler: app,
    listen: () => store.events.listen(onEvent),
    enter: (next) => {
      state = next;
      if (next === "closing") hub.close();
    },
    letGo: () => Promise.allSettled([lastUsed.close(), counter.close()]),
  });
}

interface Life {
  readonly server: Server;
  readonly settings: ApiSettings;
  readonly handler: RequestListener;
  /** Starts to hear the store's events; returns how to stop. */
  readonly listen: () => Promise<() => Promise<void>>;
  readonly enter: (state: "running" | "closing") => void;
  readonly letGo: () => Promise<unknown>;
}

function lifecycle({ server, settings, handler, listen, enter, letGo }: Life): Api {
  let stopListening: (() => Promise<void>) | undefined;
  return {
    handler,
    async start() {
      stopListening = await listen();
      await startServer(server, settings);
      enter("running");
    },
    url: () => urlOf(server.address() as AddressInfo),
    async close() {
      enter("closing");
      await stopServer(server, settings.shutdownMs);
      await Promise.allSettled([stopListening?.(), letGo()]);
    },
  };
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
