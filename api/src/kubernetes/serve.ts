import { systemLookup } from "@glovebox/egress";
import type { KubeConnection } from "@glovebox/kube";
import { SchemaMissing, migrate, openStore, type Store } from "@glovebox/store";
import type { Logger } from "pino";
import { applyAccountsFile } from "../accounts-file.ts";
import { createApi } from "../api.ts";
import { createRetention } from "../retention/retention.ts";
import type { KubernetesSettings } from "../settings/kubernetes-settings.ts";
import { installationOf } from "./installation.ts";
import { unreadyReason } from "../system/probes.ts";
import { createKubernetesLauncher } from "./kubernetes-scan-launcher.ts";
import { apiKubeClient, scanResources } from "./scan-resources.ts";
import { livePolicy } from "./live-policy.ts";
import { createSchemaKeeper } from "./schema-keeper.ts";
import { createSweepMetrics } from "./sweep-metrics.ts";
import { createSweeper } from "./sweeper.ts";
import { whenAvailable } from "./when-available.ts";

const LOOKUP_MS = 10_000;
const LOOK_FOR_SCHEMA_MS = 2_000;

export interface KubernetesApiParts {
  readonly settings: KubernetesSettings;
  readonly connection: KubeConnection;
  readonly logger: Logger;
}

export interface KubernetesApi {
  /** Where it listens. */
  readonly url: string;
  /** Answers held requests, then stops everything in the reverse order of its start. */
  close(): Promise<void>;
}

/**
 * The API, launching scans as Scan resources, over a database that was migrated. Waits a while for the database.
 * @throws StoreUnavailable, or what prevents it otherwise; nothing is left running then.
 */
export async function serveOnKubernetes(parts: KubernetesApiParts): Promise<KubernetesApi> {
  const { settings, connection, logger } = parts;
  await using cleanup = new AsyncDisposableStack();
  const now = (): Date => new Date();
  const store = await preparedStore(parts, cleanup, now);
  const { transport, close } = apiKubeClient(connection);
  cleanup.defer(close);
  const resources = scanResources(transport, settings.namespace, settings.scanNamespaces);
  const installation = installationOf(transport, settings.namespace);
  const shared = { resources, installation, logger };
  const launcher = createKubernetesLauncher({ ...shared, launches: store.launches });
  cleanup.defer(() => launcher.close());
  const metrics = createSweepMetrics();
  const everyMs = settings.sweepSeconds * 1000;
  const sweeper = createSweeper({ ...shared, store, now, everyMs, metrics });
  cleanup.defer(() => sweeper.stop());
  const retention = createRetention({ store, logger, settings });
  cleanup.defer(() => retention.stop());
  const { host, port, waitSeconds, trustProxy, egressAllow, redisUrl, dnsServers } = settings;
  const lookup = systemLookup({ timeoutMs: LOOKUP_MS, servers: dnsServers });
  const live = livePolicy({ allow: egressAllow, transport, connection, logger });
  cleanup.defer(async () => live.stop());
  const egress = { policy: live.policy, lookup };
  const own = { host, port, waitSeconds, trustProxy: trustProxy || (false as const) };
  const api = createApi({
    ...{ store, launcher, egress, logger, now, redisUrl },
    settings: own,
    metrics: [...metrics.all, ...retention.metrics],
  });
  cleanup.defer(() => api.close());
  await api.start();
  sweeper.start();
  retention.start();
  void live.start();

  const running = cleanup.move();
  return { url: api.url(), close: () => running.disposeAsync() };
}

/** The store of a database that was migrated, and is again where the API itself migrates it. */
async function preparedStore(
  { settings, logger }: KubernetesApiParts,
  cleanup: AsyncDisposableStack,
  now: () => Date,
): Promise<Store> {
  const store = await openStore({
    url: settings.databaseUrl,
    maxConnections: settings.maxDatabaseConnections,
  });
  cleanup.defer(() => store.close());
  const prepare = async (): Promise<void> => {
    if (settings.migrate === "auto") await migrate(settings.databaseUrl);
    await assertMigrated(store);
    if (settings.accountsFile) await applyAccountsFile(settings.accountsFile, store);
  };
  await whenAvailable(prepare, { now });
  if (settings.migrate === "auto") {
    const keeper = createSchemaKeeper({ store, prepare, logger, everyMs: LOOK_FOR_SCHEMA_MS });
    cleanup.defer(() => keeper.stop());
    keeper.start();
  }
  return store;
}

/** @throws SchemaMissing while the database has none of this version */
async function assertMigrated(store: Store): Promise<void> {
  const reason = unreadyReason(await store.schemaState());
  if (reason !== undefined) throw new SchemaMissing(new Error(reason));
}
