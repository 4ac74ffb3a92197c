import { randomBytes } from "node:crypto";
import type { Endpoint } from "@glovebox/contract";
import {
  ApiServerAddresses,
  API_SERVER_ENDPOINTS_RIGHT,
  type Clock,
  type KubeClient,
  type KubeTransport,
  podLogs,
  systemClock,
} from "@glovebox/kube";
import type { Store } from "@glovebox/store";
import type { Logger } from "pino";
import { createCaches, type CacheEvents, type WatchedCaches } from "./caches.ts";
import { Canaries } from "./canary/canaries.ts";
import { findVacant } from "./canary/vacant.ts";
import { loggable } from "./loggable.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { namespaceReader, type NamespaceReader } from "./namespace.ts";
import { ProgressFollowers } from "./progress-followers.ts";
import { EventRecorder } from "./runtime/event-recorder.ts";
import { eventSink } from "./runtime/event-sink.ts";
import { podView } from "./scan/attempt-views.ts";
import { podsOfJob } from "./scan/pods-of-job.ts";
import { Slots } from "./scan/slots.ts";
import type { ControllerSettings } from "./settings.ts";

export interface ControllerDeps {
  readonly settings: ControllerSettings;
  readonly kube: KubeClient;
  readonly store: Store;
  readonly logger: Logger;
  /** Addresses by which this process and others reach the API server, such as that of its Service. */
  readonly apiServerAddresses: readonly string[];
}

/** Parts that every replica has, leading or not. */
export interface Replica extends ControllerDeps {
  readonly caches: WatchedCaches;
  readonly slots: Slots;
  /** Where the API servers themselves are. */
  readonly apiServers: ApiServerAddresses;
  readonly canaries: Canaries;
  /** Where nobody is; without those where a refusal of the network's would say nothing. */
  readonly vacant: readonly Endpoint[];
  readonly metrics: Metrics;
  readonly events: EventRecorder;
  readonly progress: ProgressFollowers;
  readonly namespaceFacts: NamespaceReader;
  readonly identity: string;
}

/** Makes the parts, and begins to call the canaries; the caches are still to be started. */
// oxlint-disable-next-line max-params -- what it is made of, whom it tells, and whom it asks
export async function createReplica(
  deps: ControllerDeps,
  events: CacheEvents,
  isLeader: () => boolean,
): Promise<Replica> {
  const { settings, kube, logger } = deps;
  const { transport, clock } = kube;
  const { namespace, scanNamespaces } = settings;
  const onFailure = (resource: string, error: unknown): void => {
    metrics.watchFailures.inc({ resource });
    logger.warn({ resource, error: loggable(error) }, "a watch failed and is restarted");
  };
  const onUnseenPolicies = (resource: string): void =>
    logger.warn({ resource }, "no permission to read these policies: they are not evaluated");
  const faults = { onFailure, onUnseenPolicies };
  const caches = createCaches({ transport, namespace, scanNamespaces, events: { ...events, ...faults } });
  const namespaces = namespaceReader({ transport, monotonic: systemClock.monotonic });
  // Without them, who has the next turn is decided by namespaces for a moment.
  await Promise.allSettled([namespace, ...scanNamespaces].map((name) => namespaces.read(name)));
  const usualAccount = (name: string): string | undefined => namespaces.known(name)?.account;
  const slots = new Slots({ ...caches, caps: capsOf(settings), usualAccount });
  const canaries = new Canaries({ places: settings.canaries, clock: systemClock });
  canaries.start();
  const metrics = createMetrics({
    silence: () => caches.silence(),
    waitingSince: () => slots.waiting().map(({ since }) => since),
    isLeader,
    canaries: () => canaries.count,
    now: () => clock.now(),
  });
  const identity = `${settings.podName}-${randomBytes(4).toString("hex")}`;
  return {
    ...deps,
    caches,
    slots,
    metrics,
    identity,
    canaries,
    apiServers: apiServersOf(transport, logger),
    vacant: await vacantEndpoints(deps),
    events: eventRecorder({ transport, identity, logger, clock }),
    progress: progressFollowers({ ...deps, caches }),
    namespaceFacts: namespaces.read,
  };
}

interface EventParts {
  readonly transport: KubeTransport;
  readonly identity: string;
  readonly logger: Logger;
  readonly clock: Clock;
}

const eventRecorder = ({ transport, identity, logger, clock }: EventParts) =>
  new EventRecorder({
    clock,
    sink: eventSink(transport, identity),
    newSuffix: () => randomBytes(8).toString("hex"),
    onDropped: (reason, error) =>
      logger.debug({ reason, error: loggable(error) }, "an event could not be written"),
  });

const apiServersOf = (transport: KubeTransport, logger: Logger) =>
  new ApiServerAddresses({
    transport,
    onFailure: (error) =>
      logger.warn(
        { error: loggable(error), right: API_SERVER_ENDPOINTS_RIGHT },
        "the addresses of the API servers cannot be read: list public ones in GLOVEBOX_CLUSTER_CIDRS",
      ),
  });

async function vacantEndpoints({ settings, logger }: ControllerDeps): Promise<Endpoint[]> {
  const [canary] = settings.canaries;
  const vacant = await findVacant(canary?.port ?? 0);
  if (vacant.length === 0)
    logger.warn(
      "the network answers at the control addresses: a refused connection to the canary is no proof of isolation here",
    );
  return vacant;
}

const capsOf = (settings: ControllerSettings) => ({
  total: settings.maxConcurrentScans,
  perAccount: settings.maxConcurrentScansPerAccount,
  perHost: settings.maxConcurrentScansPerHost,
});

const progressFollowers = ({ kube, store, logger, caches }: ControllerDeps & { caches: WatchedCaches }) =>
  new ProgressFollowers({
    logs: podLogs(kube.transport),
    work: store.work,
    runningPods: (jobUid) => podsOfJob(caches.pods, jobUid).filter((pod) => podView(pod).isRunning),
    onFailure: (scan, error) =>
      logger.debug({ scan, error: loggable(error) }, "the progress of a scan could not be read to its end"),
  });
