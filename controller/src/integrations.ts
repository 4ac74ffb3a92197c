import { createEgressPolicy, judgeHost } from "@glovebox/egress";
import { SCAN_SCHEDULES, type ScheduleResource } from "@glovebox/k8s";
import { loggable } from "@glovebox/kube";
import { Discovery } from "./discovery/discovery.ts";
import { queueObserver, watchFailed } from "./process/failures.ts";
import { type PolicyReport, REPORTS } from "./policy-reports/manifest.ts";
import { PolicyReports } from "./policy-reports/policy-reports.ts";
import type { Replica } from "./replica.ts";
import type { KubeApi } from "./kubernetes/api-client.ts";
import type { PerformDeps } from "./scan/commands.ts";
import type { Schedules } from "./schedule/schedules.ts";

/** Writes Reports in the background, where that is on. */
export function reportPublisher({ settings, kube, logger }: Replica, api: KubeApi): PerformDeps["onReport"] {
  if (settings.policyReports === "off") return undefined;
  const reports = new PolicyReports({
    transport: kube.transport,
    reports: api.objectsOf<PolicyReport>(REPORTS),
    clock: kube.clock,
    onFailure: ({ metadata: { namespace, name } }, error) =>
      logger.warn({ scan: `${namespace}/${name}`, error: loggable(error) }, "Report could not be written"),
  });
  return (scan, report) => void reports.publish(scan, report);
}

/** Finds the hosts of annotated objects in the namespaces of teams. */
export function startDiscovery(replica: Replica, api: KubeApi, schedules: Schedules): Discovery {
  const { settings, kube, namespaceFacts, events } = replica;
  const policy = createEgressPolicy({ allow: settings.egressAllow });
  return new Discovery({
    transport: kube.transport,
    clock: kube.clock,
    namespaces: settings.scanNamespaces,
    namespaceFacts,
    refusal(url) {
      const verdict = judgeHost(policy, url);
      return verdict === "resolve" || verdict.allowed ? undefined : verdict.reason;
    },
    schedulesOf: (namespace, uid) => schedules.controlledBy(namespace, uid),
    api: api.objectsOf<ScheduleResource, object>(SCAN_SCHEDULES),
    events,
    observer: queueObserver(replica)("discovery", "discovery of an object"),
    onFailure: watchFailed(replica),
  });
}
