import { setTimeout as wait } from "node:timers/promises";
import { OutcomeReader } from "@glovebox/scan-run";
import { systemLookup } from "@glovebox/egress";
import { type ScanResource, SCANS, SCAN_SCHEDULES, type ScheduleResource } from "@glovebox/k8s";
import {
  systemClock,
  loggable,
  type Fence,
  atMost,
  createTokenBucket,
  type Rate,
  warningReader,
} from "@glovebox/kube";
import type { StoreEvent } from "@glovebox/store";
import type { CacheEvents } from "./caches/caches.ts";
import { queueObserver, watchFailed } from "./process/failures.ts";
import { reportPublisher, startDiscovery } from "./integrations.ts";
import { ScanQueue } from "./scan/scan-queue.ts";
import { Schedules } from "./schedule/schedules.ts";
import { Orphans } from "./scan/orphans.ts";
import type { Replica } from "./replica.ts";
import { createKubeApi, type KubeApi } from "./kubernetes/api-client.ts";
import { scanObserver } from "./scan/scan-observer.ts";
import type { PerformDeps } from "./scan/commands.ts";
import type { ObserveDeps } from "./scan/observe.ts";
import { podsOfJob } from "./kubernetes/ownership.ts";
import { type QueryDeps, resolveTarget } from "./scan/queries.ts";
import { writesReader } from "./scan/read-writes.ts";
import { reportReader } from "./scan/read-report.ts";
import { serviceReader } from "./scan/service-backends.ts";
import { reconciler } from "./scan/reconcile.ts";
import { DEFAULT_SCAN_SETTINGS, type ScanSettings } from "./scan/settings.ts";

const WORKERS = 16;
const LOOKUP_MS = 5000;
/** Limit of concurrent recordings of reports; each may take 40 MiB. */
const MAX_RECORDINGS = 2;

/** Rate limit of reading events for waiting scans. */
const WARNINGS_RATE: Rate = { burst: 20, perSecond: 2 };

/** What the leader does about changes. */
export interface Leading extends CacheEvents {
  onStoreEvent(event: StoreEvent): void;
  /** Starts no more work, and resolves when the current work has ended. */
  stop(): Promise<unknown>;
}

/** Starts the work of the leader. Writes are refused once the fence is lost. */
export function startLeading(replica: Replica, fence: Fence): Leading {
  const api = createKubeApi(replica.kube.transport, fence);
  const scans = scanQueue(replica, fence, api);
  const schedules = startSchedules(replica, api);
  const discovery = replica.settings.discovery === "on" ? startDiscovery(replica, api, schedules) : undefined;
  return {
    onScan(change) {
      scans.onScan(change);
      schedules.onScan(change);
    },
    onPartOfScan: (...part) => scans.onPartOfScan(...part),
    onOtherPolicy: () => scans.onOtherPolicy(),
    onStoreEvent: (event) => scans.onStoreEvent(event),
    stop: () => Promise.all([discovery?.stop(), scans.stop(), schedules.stop()]),
  };
}

function scanQueue(replica: Replica, fence: Fence, api: KubeApi): ScanQueue {
  const { settings, caches, slots } = replica;
  const scans = api.objectsOf<ScanResource>(SCANS);
  const observerOf = queueObserver(replica);
  const orphans = new Orphans({
    caches,
    api,
    scans,
    scanNamespaces: settings.scanNamespaces,
    observer: observerOf("orphan", "cleanup of a deleted Scan"),
  });
  const deps = {
    assertPoliciesRead: () => caches.assertPoliciesRead(),
    observing: observing(replica),
    queryDeps: queryDeps(replica, api),
    performing: { ...performing(replica, fence, api), scans, onReport: reportPublisher(replica, api) },
    observer: scanObserver(replica),
  };
  return new ScanQueue({
    caches,
    slots,
    orphans,
    workers: WORKERS,
    reconciler: (own) => reconciler({ ...deps, ...own }),
    observer: observerOf("scan", "reconciliation of a scan"),
  });
}

function startSchedules(replica: Replica, api: KubeApi): Schedules {
  const { settings, kube, caches, events } = replica;
  return new Schedules({
    transport: kube.transport,
    clock: kube.clock,
    home: settings.namespace,
    others: settings.scanNamespaces,
    scans: caches.scans,
    api: {
      schedules: api.objectsOf<ScheduleResource>(SCAN_SCHEDULES),
      scans: api.objectsOf<ScanResource, object>(SCANS),
    },
    events,
    metrics: replica.metrics,
    observer: queueObserver(replica)("schedule", "reconciliation of a schedule"),
    onFailure: watchFailed(replica),
  });
}

function observing(replica: Replica): ObserveDeps {
  const { kube, store, caches, slots, canaries, namespaceFacts, progress } = replica;
  return {
    caches,
    slots,
    namespaceFacts,
    clock: kube.clock,
    settings: scanSettings(replica),
    canary: () => canaries.choose(),
    followedAttempt: (scanId) => progress.attemptOf(scanId),
    findRow: (scanId) => store.work.find(scanId),
  };
}

function queryDeps(replica: Replica, api: KubeApi): QueryDeps {
  const { settings, kube, caches, canaries, logger } = replica;
  const resolveDeps = {
    allow: settings.egressAllow,
    deny: () => deniedRanges(replica),
    controlPlane: () => [...replica.apiServerAddresses, ...replica.apiServers.list],
    nodes: () => nodesOf(replica),
    readService: serviceReader(kube.transport),
    lookup: systemLookup({ timeoutMs: LOOKUP_MS, servers: settings.dnsServers }),
  };
  const podsOf = (jobUid: string) => podsOfJob(caches.pods, jobUid);
  return {
    api,
    now: () => kube.clock.now(),
    latestWarning: warningReader({
      read: (about) => api.latestWarning(about),
      mayRead: createTokenBucket(WARNINGS_RATE, systemClock),
      onFailure: (error) => logger.debug({ error: loggable(error) }, "events could not be read"),
    }),
    resolveTarget: (request) => resolveTarget(request, resolveDeps),
    attestCanary: (canary) => canaries.attest(canary),
    readReport: reportReader({ logs: api.podLogs, outcomes: new OutcomeReader(), podsOf, wait }),
  };
}

const performing = (
  { settings, kube, store, caches, namespaceFacts, progress }: Replica,
  fence: Fence,
  api: KubeApi,
): Omit<PerformDeps, "scans"> => ({
  api,
  store,
  fence,
  namespaceFacts,
  now: () => kube.clock.now(),
  pod: settings.pod,
  followProgress: progress.follow.bind(progress),
  readWrites: writesReader({ logs: api.podLogs, podsOf: (jobUid) => podsOfJob(caches.pods, jobUid) }),
  limitRecordings: atMost(MAX_RECORDINGS),
});

/** Ranges of the settings, the address of this pod, and the nodes of scan pods. */
function deniedRanges(replica: Replica): string[] {
  const { settings } = replica;
  return [...settings.egressDeny, ...settings.clusterCidrs, settings.podIp, ...nodesOf(replica)];
}

/** Addresses of the nodes of scan pods. */
const nodesOf = ({ caches }: Replica): string[] => [
  ...new Set(caches.pods.list().flatMap(({ status }) => status?.hostIPs?.map(({ ip }) => ip) ?? [])),
];

const scanSettings = ({ settings, controlEndpoints }: Replica): ScanSettings => ({
  ...DEFAULT_SCAN_SETTINGS,
  namespace: settings.namespace,
  ...(settings.pod.serviceAccountName && { serviceAccount: settings.pod.serviceAccountName }),
  controlEndpoints: [...controlEndpoints],
  podWaitSeconds: settings.podWaitSeconds,
  isolationWaitSeconds: settings.isolationWaitSeconds,
  jobTtlSeconds: settings.jobTtlSeconds,
  ttlSeconds: settings.scanTtlSeconds,
});
