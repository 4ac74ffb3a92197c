import { randomBytes } from "node:crypto";
import type { Endpoint } from "@glovebox/contract";
import {
  ApiServerAddresses,
  API_SERVER_ENDPOINTS_RIGHT,
  type KubeClient,
  podLogs,
  systemClock,
  loggable,
  EventRecorder,
  eventSink,
  type Rate,
} from "@glovebox/kube";
import type { Store } from "@glovebox/store";
import type { Logger } from "pino";
import { createCaches, type CacheEvents, type CacheFaults, type WatchedCaches } from "./caches/caches.ts";
import { Canaries } from "./canary/canaries.ts";
import { findControlEndpoints } from "./canary/control-address.ts";
import { createControllerMetrics, type ControllerMetrics } from "./process/metrics.ts";
import { namespaceReader, type NamespaceReader } from "./kubernetes/namespace.ts";
import { ProgressFollowers } from "./scan/progress.ts";
import { podView } from "./kubernetes/pod-view.ts";
import { podsOfJob } from "./kubernetes/ownership.ts";
import type { SlotLimits } from "@glovebox/scan-run";
import { Slots } from "./scan/slots.ts";
import type { ControllerSettings } from "./settings.ts";

export interface ControllerDeps {
  readonly settings: ControllerSettings;
  readonly kube: KubeClient;
  readonly store: Store;
  readonly logger: Logger;
  /** Addresses by which this process and others reach the API server, such as the address of its Service. */
  readonly apiServerAddresses: readonly string[];
}

/** The parts of every replica, leader or not. */
export interface Replica extends ControllerDeps {
  readonly caches: WatchedCaches;
  readonly slots: Slots;
  /** Addresses of the API servers. */
  readonly apiServers: ApiServerAddresses;
  readonly canaries: Canaries;
  /** By which scanners recognise a network that rejects connections. */
  readonly controlEndpoints: readonly Endpoint[];
  readonly metrics: ControllerMetrics;
  readonly events: EventRecorder;
  readonly progress: ProgressFollowers;
  readonly namespaceFacts: NamespaceReader;
  readonly identity: string;
}

/** Creates the parts and starts to probe the canaries. The caches are not started yet. */
export async function createReplica(
  deps: ControllerDeps,
  events: CacheEvents,
  isLeader: () => boolean,
): Promise<Replica> {
  const { settings, kube, logger } = deps;
  const { transport, clock } = kube;
  const { namespace, scanNamespaces } = settings;
  const faults = cacheFaults(logger, (resource) => metrics.watchFailures.inc({ resource }));
  const caches = createCaches({ transport, namespace, scanNamespaces, events: { ...events, ...faults } });
  const namespaces = namespaceReader({ transport, monotonic: systemClock.monotonic });
  // Without them, the queue counts each namespace as an account.
  await Promise.allSettled([namespace, ...scanNamespaces].map((name) => namespaces.read(name)));
  const defaultAccount = (name: string): string | undefined => namespaces.known(name)?.account;
  const slots = new Slots({ ...caches, limits: slotLimitsOf(settings), defaultAccount });
  const canaries = new Canaries({ targets: settings.canaries, clock: systemClock });
  canaries.start();
  const metrics = createControllerMetrics({
    lastEventAgesMs: () => caches.lastEventAgesMs(),
    unreadPolicies: () => caches.unreadPolicies(),
    queuedSince: () => slots.queued().map(({ since }) => since),
    isLeader,
    canaries: () => canaries.count,
    now: () => clock.now(),
  });
  const identity = `${settings.podName}-${randomBytes(4).toString("hex")}`;
  return {
    ...deps,
    ...{ caches, slots, metrics, identity, canaries },
    ...observers(deps, caches, identity),
    controlEndpoints: await controlEndpointsFor(deps),
    namespaceFacts: namespaces.read,
  };
}

const cacheFaults = (logger: Logger, countFailure: (resource: string) => void): CacheFaults => ({
  onFailure(resource, error) {
    countFailure(resource);
    logger.warn({ resource, error: loggable(error) }, "watch failed, restarting");
  },
  onUnreadablePolicies: (resource) =>
    logger.warn({ resource }, "no permission to watch the resource, policies are evaluated without it"),
});

const slotLimitsOf = (settings: ControllerSettings): SlotLimits => ({
  total: settings.maxConcurrentScans,
  perAccount: settings.maxConcurrentScansPerAccount,
  perHost: settings.maxConcurrentScansPerHost,
});

/** Of events. A scan has about seven; those beyond the rate are dropped. */
const EVENTS_RATE: Rate = { burst: 100, perSecond: 5 };

/** Parts whose failures are logged and block nothing. */
function observers(
  { kube: { transport, clock }, store, logger }: ControllerDeps,
  caches: WatchedCaches,
  identity: string,
): Pick<Replica, "apiServers" | "events" | "progress"> {
  return {
    apiServers: new ApiServerAddresses({
      transport,
      onFailure: (error) =>
        logger.warn(
          { error: loggable(error), right: API_SERVER_ENDPOINTS_RIGHT },
          "API server addresses could not be read: list public ones in GLOVEBOX_CLUSTER_CIDRS",
        ),
    }),
    events: new EventRecorder({
      clock,
      sink: eventSink(transport, identity),
      newSuffix: () => randomBytes(8).toString("hex"),
      rate: EVENTS_RATE,
      onDropped: (reason, error) =>
        logger.debug({ reason, error: loggable(error) }, "event could not be written"),
    }),
    progress: new ProgressFollowers({
      logs: podLogs(transport),
      work: store.work,
      scanWrites: store.scanWrites,
      runningPods: (jobUid) => podsOfJob(caches.pods, jobUid).filter((pod) => podView(pod).isRunning),
      onFailure: (scan, error) =>
        logger.debug({ scan, error: loggable(error) }, "scan progress could not be read to its end"),
    }),
  };
}

async function controlEndpointsFor({ settings, logger }: ControllerDeps): Promise<Endpoint[]> {
  const [canary] = settings.canaries;
  const found = await findControlEndpoints(canary?.port ?? 0);
  if (found.length === 0)
    logger.warn(
      "the network responds at the control addresses: a refused connection to the canary does not prove isolation here",
    );
  return found;
}
