import { loggable, LeaderElection, leaseClient } from "@glovebox/kube";
import { setTimeout as sleep } from "node:timers/promises";
import { type SchemaState, type StoreEvent, StoreUnavailable } from "@glovebox/store";
import { type HealthServer, startHealthServer } from "./process/health-server.ts";
import { type Leading, startLeading } from "./leader.ts";
import { type ControllerDeps, createReplica, type Replica } from "./replica.ts";
import type { ShutdownStep } from "./process/shutdown.ts";

export interface Controller {
  readonly healthPort: number;
  /** Resolves when leadership was lost: writes are refused, and the process should exit. */
  readonly lost: Promise<void>;
  /** The steps of the shutdown: current work, the lease, and the rest. */
  readonly ending: readonly ShutdownStep[];
}

const DATABASE_RETRY_MS = 2000;

/** Starts the watches, and reconciles Scans once this process is the leader. */
export async function startController(deps: ControllerDeps): Promise<Controller> {
  const lost = Promise.withResolvers<void>();
  let leading: Leading | undefined;
  let election: LeaderElection | undefined;
  const replica = await createReplica(
    deps,
    {
      onScan: (change) => leading?.onScan(change),
      onPartOfScan: (...part) => leading?.onPartOfScan(...part),
      onOtherPolicy: () => leading?.onOtherPolicy(),
    },
    () => election?.isLeader ?? false,
  );
  const { settings, kube, logger, caches, identity } = replica;
  const health = await healthOf(replica);
  const unlisten = await listen(replica, (event) => leading?.onStoreEvent(event));
  await replica.apiServers.start();
  caches.start();
  await caches.whenSynced();
  const namespace = settings.podNamespace ?? settings.namespace;
  election = new LeaderElection({
    leases: leaseClient(kube.transport, { namespace, name: settings.leaseName }),
    identity,
    clock: kube.clock,
    onElected(fence) {
      logger.info({ identity }, "elected as leader");
      leading = startLeading(replica, fence);
    },
    onLost() {
      logger.error({ identity }, "leadership lost");
      lost.resolve();
    },
    onError: (error) => logger.warn({ error: loggable(error) }, "lease could not be renewed, retrying"),
  });
  election.start();
  return {
    healthPort: health.port,
    lost: lost.promise,
    ending: shutdownSteps({ replica, election, health, unlisten, leading: () => leading }),
  };
}

interface ControllerParts {
  readonly replica: Replica;
  readonly election: LeaderElection;
  readonly health: HealthServer;
  readonly unlisten: () => Promise<void>;
  readonly leading: () => Leading | undefined;
}

/**
 * The lease is released as soon as writes have stopped, before slower steps. Work that has not ended by then is aborted; the next
 * leader continues from the state in the cluster.
 */
const shutdownSteps = ({ replica, election, health, unlisten, leading }: ControllerParts): ShutdownStep[] => [
  { name: "work", boundMs: 6_000, run: () => Promise.all([leading()?.stop(), replica.progress.stop()]) },
  { name: "lease", boundMs: 5_000, run: () => election.stop() },
  {
    name: "watches and events",
    boundMs: 3_000,
    run() {
      replica.canaries.stop();
      replica.apiServers.stop();
      return Promise.all([replica.events.stop(), unlisten(), replica.caches.stop(), health.close()]);
    },
  },
];

/** Retries while the database is unavailable; /readyz reports it. */
async function listen(
  { store, logger }: Replica,
  handler: (event: StoreEvent) => void,
): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await store.events.listen(handler);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      logger.warn("database is unreachable, retrying");
      await sleep(DATABASE_RETRY_MS);
    }
  }
}

const UNREADY: Partial<Record<SchemaState, string>> = {
  missing: "the database has no Glovebox schema",
  older: "the database has an older schema",
};

const healthOf = ({ settings, metrics, caches, store }: Replica): Promise<HealthServer> =>
  startHealthServer({
    port: settings.port,
    host: settings.host,
    registry: metrics.registry,
    async unready() {
      if (!caches.hasSynced) return "the caches are not synchronized yet";
      return store.schemaState().then(
        (schema) => UNREADY[schema],
        () => "the database is unreachable",
      );
    },
  });
