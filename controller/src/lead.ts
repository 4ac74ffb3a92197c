import { setTimeout as wait } from "node:timers/promises";
import { OutcomeReader } from "@glovebox/contract";
import { systemLookup } from "@glovebox/egress";
import { SCANS, type ScanResource } from "@glovebox/k8s";
import type { CanaryNote } from "./canary/note.ts";
import { Orphans } from "./orphans.ts";
import type { WorkQueueObserver } from "./runtime/work-queue.ts";
import { Leadership } from "./leadership.ts";
import { loggable } from "./loggable.ts";
import type { Replica } from "./replica.ts";
import { createKubeApi } from "./runtime/api-client.ts";
import { atMost } from "./runtime/at-most.ts";
import { systemClock } from "./runtime/clock.ts";
import type { Fence } from "./runtime/fence.ts";
import { podsOfJob } from "./scan/pods-of-job.ts";
import { reportReader } from "./scan/read-report.ts";
import { createTokenBucket, type Rate } from "./runtime/token-bucket.ts";
import { Memory } from "./scan/memory.ts";
import { reconciler } from "./scan/reconcile.ts";
import { resolveTarget } from "./scan/resolve-target.ts";
import { DEFAULT_SETTINGS, type ScanSettings } from "./scan/settings.ts";
import { scanObserver } from "./scan-observer.ts";
import { waitExplainer } from "./wait-explainer.ts";

const WORKERS = 16;
const LOOKUP_MS = 5000;
/** Reports that are written down at a time: each may take 40 MiB meanwhile, and that is soon done. */
const RECORDINGS = 2;

/** Events read for scans that wait, at most. */
const EXPLANATIONS: Rate = { burst: 20, perSecond: 2 };

/** Takes the work up; the fence says for how long. */
export function lead(replica: Replica, fence: Fence): Leadership {
  const { caches, slots, logger, metrics } = replica;
  const observing = (subject: "scan" | "orphan", what: string): WorkQueueObserver => ({
    failed(key, { error, failures, retryInMs }) {
      metrics.reconcileFailures.inc({ error: error instanceof Error ? error.name : "unknown" });
      logger.warn(
        { [subject]: key, error: loggable(error), failures, retryInMs },
        `${what} is looked at again`,
      );
    },
  });
  return new Leadership({
    caches,
    slots,
    orphans: orphansOf(replica, fence, observing("orphan", "what a Scan has left")),
    workers: WORKERS,
    reconciler: (own) => reconciler({ ...reconcileDeps(replica, fence), ...own }),
    observer: observing("scan", "a scan"),
  });
}

function orphansOf(
  { settings, config, caches }: Replica,
  fence: Fence,
  observer: WorkQueueObserver,
): Orphans {
  const api = createKubeApi(config, fence);
  const scans = api.objectsOf<ScanResource>(SCANS);
  return new Orphans({ caches, api, scans, scanNamespaces: settings.scanNamespaces, observer });
}

function reconcileDeps(replica: Replica, fence: Fence) {
  const { settings, config, store, caches, slots, canaries, namespaceFacts, progress } = replica;
  const { clock } = config;
  const now = () => clock.now();
  const api = createKubeApi(config, fence);
  const memory = new Memory();
  const podsOf = (jobUid: string) => podsOfJob(caches.pods, jobUid);
  const resolveDeps = {
    allow: settings.egressAllow,
    deny: () => deniedRanges(replica),
    controlPlane: () => [...replica.apiServerAddresses, ...replica.apiServers.list],
    lookup: systemLookup({ timeoutMs: LOOKUP_MS, servers: settings.dnsServers }),
  };
  return {
    memory,
    assertPoliciesRead: () => caches.assertPoliciesRead(),
    observing: {
      caches,
      slots,
      namespaceFacts,
      memory,
      clock,
      settings: scanSettings(replica),
      canary: () => canaries.choose(),
      followedAttempt: (scanId: string) => progress.attemptOf(scanId),
      findRow: (scanId: string) => store.work.find(scanId),
      knownSeconds: (installation: string) => store.launches.knownSeconds(installation),
    },
    performing: {
      api,
      store,
      fence,
      namespaceFacts,
      now,
      pod: settings.pod,
      scans: api.objectsOf<ScanResource>(SCANS),
      followProgress: progress.follow.bind(progress),
      latestWarning: waitExplainer({
        read: (about) => api.latestWarning(about),
        mayAsk: createTokenBucket(EXPLANATIONS, systemClock),
        onFailure: (error) => replica.logger.debug({ error: loggable(error) }, "events could not be read"),
      }),
      resolveTarget: (request: Parameters<typeof resolveTarget>[0]) => resolveTarget(request, resolveDeps),
      attestCanary: (note: CanaryNote) => canaries.attest(note),
      readReport: reportReader({ logs: api.podLogs, outcomes: new OutcomeReader(), podsOf, wait }),
      inTurn: atMost(RECORDINGS),
    },
    observer: scanObserver(replica),
  };
}

/** Ranges of the settings, and what the controller knows by itself: its own address, the scans' nodes. */
function deniedRanges({ settings, caches }: Replica): string[] {
  const nodes = caches.pods.list().flatMap(({ status }) => status?.hostIPs?.map(({ ip }) => ip) ?? []);
  return [...settings.egressDeny, ...settings.clusterCidrs, settings.podIp, ...new Set(nodes)];
}

const scanSettings = ({ settings, vacant }: Replica): ScanSettings => ({
  ...DEFAULT_SETTINGS,
  namespace: settings.namespace,
  ...(settings.pod.serviceAccountName && { serviceAccount: settings.pod.serviceAccountName }),
  vacant: [...vacant],
  podWaitSeconds: settings.podWaitSeconds,
  isolationWaitSeconds: settings.isolationWaitSeconds,
  jobTtlSeconds: settings.jobTtlSeconds,
  ttlSeconds: settings.scanTtlSeconds,
});
