import { systemLookup } from "@glovebox/egress";
import type { KubeConnection } from "@glovebox/kube";
import type { Logger } from "pino";
import { createApi } from "../api.ts";
import { createUpkeep } from "../background/upkeep.ts";
import type { KubernetesSettings } from "../settings/kubernetes-settings.ts";
import { clusterEgressPolicy } from "./cluster-egress-policy.ts";
import { preparedStore } from "./prepare-database.ts";
import { createKubernetesLauncher, installationOf } from "./scan-launcher.ts";
import { apiKubeClient, scanResources } from "./scan-resources.ts";
import { createSweepMetrics, createSweeper } from "./sweeper.ts";

export interface KubernetesApi {
  /** Where it listens. */
  readonly url: string;
  /** Responds to waiting requests, then stops all parts in reverse order of their start. */
  close(): Promise<void>;
}

/**
 * Starts the API, which launches scans as Scan resources. Waits up to a minute for the database.
 * @throws StoreUnavailable, or another error of the start; nothing is left running then.
 */
export async function serveOnKubernetes(parts: {
  readonly settings: KubernetesSettings;
  readonly connection: KubeConnection;
  readonly logger: Logger;
}): Promise<KubernetesApi> {
  const { settings, connection, logger } = parts;
  await using cleanup = new AsyncDisposableStack();
  const now = (): Date => new Date();
  const store = await preparedStore(parts, cleanup, now);
  const { transport, close } = apiKubeClient(connection);
  cleanup.defer(close);
  const resources = scanResources(transport, settings.namespace, {
    others: settings.scanNamespaces,
    identities: store.identities,
  });
  const installation = installationOf(transport, settings.namespace);
  const shared = { resources, installation, logger };
  const launcher = createKubernetesLauncher({ ...shared, launches: store.launches });
  cleanup.defer(() => launcher.close());
  const metrics = createSweepMetrics();
  const everyMs = settings.sweepSeconds * 1000;
  const sweeper = createSweeper({ ...shared, store, now, everyMs, metrics });
  cleanup.defer(() => sweeper.stop());
  const upkeep = createUpkeep({ store, logger, settings });
  cleanup.defer(() => upkeep.stop());
  const lookup = systemLookup({ servers: settings.dnsServers });
  const { egressAllow: allow, redisUrl } = settings;
  const clusterEgress = clusterEgressPolicy({ allow, transport, connection, logger });
  cleanup.defer(async () => clusterEgress.stop());
  const egress = { policy: clusterEgress.policy, lookup };
  const api = createApi({
    ...{ store, launcher, egress, logger, now, redisUrl, settings },
    metrics: [...metrics.all, ...upkeep.metrics],
  });
  cleanup.defer(() => api.close());
  await api.start();
  sweeper.start();
  upkeep.start();
  void clusterEgress.start();

  const running = cleanup.move();
  return { url: api.url(), close: () => running.disposeAsync() };
}
