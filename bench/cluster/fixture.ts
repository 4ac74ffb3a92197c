import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { homedir } from "node:os";
import { newScanId } from "@glovebox/contract";
import {
  collectionPath,
  JOBS,
  NETWORK_POLICIES,
  PODS,
  createKubeClient,
  isRetryable,
  kubeconfigConnection,
  requestJson,
  type KubeTransport,
} from "@glovebox/kube";
import { COMMAND_LINE, type Account } from "@glovebox/store";
import { API_NAME, API_VERSION, KIND, LABELS, SCANS } from "../../k8s/src/names.ts";
import { apply, kubectl } from "../../test/cluster/support/kubectl.ts";
import { startDatabase, type BenchDatabase } from "../src/database.ts";
import { startController, type ControllerEnvironment, type ControllerProcess } from "./controller-process.ts";
import { until } from "../../test/cluster/support/until.ts";

const CRDS = fileURLToPath(new URL("../../k8s/crd", import.meta.url));
/** Concurrent requests to the API server. */
const CONCURRENCY = 16;

/** A scan as a client of the API submits it. */
export interface Submitted {
  readonly id: string;
  readonly account: string;
  readonly url: string;
}

/** A namespace as the chart makes it, a database, and the cluster. */
export interface Fixture extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly database: BenchDatabase;
  readonly namespace: string;
  account(name: string): Promise<Account>;
  /** Inserts rows and creates Scans, as the API does. */
  submit(scans: readonly Submitted[]): Promise<void>;
  /** Creates Scans without rows. */
  createScans(scans: readonly Submitted[]): Promise<void>;
  controller(environment?: ControllerEnvironment): Promise<ControllerProcess>;
  /** Deletes all Scans with their objects, and waits until they are deleted. */
  clear(): Promise<void>;
}

export async function startFixture(): Promise<Fixture> {
  await kubectl(["apply", "-f", CRDS]);
  await kubectl(["wait", "crd/scans.glovebox.dev", "--for=condition=Established", "--timeout=60s"]);
  await using cleanup = new AsyncDisposableStack();
  const namespace = `glovebox-bench-${randomBytes(4).toString("hex")}`;
  await apply(...namespaceObjects(namespace));
  cleanup.defer(async () => void (await kubectl(["delete", "namespace", namespace, "--wait=false"])));
  const database = cleanup.use(await startDatabase());
  const cluster = cleanup.use(await openCluster());
  const account = accountsOf(database);
  const scanner = join(database.folder, "scanner.json");
  writeFileSync(scanner, JSON.stringify(ON_SIMULATED_NODES));
  const create = ({ id, account: name, url }: Submitted): Promise<void> => {
    const scan = { apiVersion: API_VERSION, kind: KIND, metadata: { name: id, labels: API_LABELS } };
    return cluster.create(collectionPath(SCANS, namespace), { ...scan, spec: { url, account: name } });
  };
  const running = cleanup.move();
  return {
    cluster,
    database,
    namespace,
    account,
    async submit(scans) {
      await forEachConcurrently(scans, CONCURRENCY, async ({ id, account: name, url }) => {
        await database.store.scans.submit({ actor: COMMAND_LINE, id, account: await account(name), url });
        await create({ id, account: name, url });
      });
    },
    createScans: (scans) => forEachConcurrently(scans, CONCURRENCY, create),
    controller: (environment = {}) =>
      startController({
        DATABASE_URL: database.url,
        GLOVEBOX_NAMESPACE: namespace,
        GLOVEBOX_LEASE_NAME: `bench-${randomBytes(4).toString("hex")}`,
        GLOVEBOX_EGRESS_ALLOW: "198.18.0.0/15",
        GLOVEBOX_LOG_LEVEL: "info",
        GLOVEBOX_SCANNER_FILE: scanner,
        ...environment,
      }),
    clear: () => clear(cluster, namespace),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const API_LABELS = { [LABELS.managedBy]: API_NAME };

/** Scheduling of pods on simulated nodes. */
export const ON_SIMULATED_NODES = {
  image: "glovebox/scanner-job:simulated",
  nodeSelector: { type: "kwok" },
  tolerations: [{ key: "type", value: "kwok", effect: "NoSchedule" }],
};

/** Scans of different hosts. */
export const scansFor = (count: number, accountOf: (number: number) => string): Submitted[] =>
  Array.from({ length: count }, (_, number) => ({
    id: newScanId(new Date()),
    account: accountOf(number),
    url: `https://198.18.${Math.floor(number / 250)}.${1 + (number % 250)}/v1`,
  }));

function accountsOf({ store }: BenchDatabase): (name: string) => Promise<Account> {
  const known = new Map<string, Promise<Account>>();
  return (name) => {
    const account = known.get(name) ?? store.accounts.declare({ name, plan: "enterprise" });
    known.set(name, account);
    return account;
  };
}

/** Deletes each collection with one request. */
async function clear(cluster: Cluster, namespace: string): Promise<void> {
  const paths = [SCANS, JOBS, NETWORK_POLICIES, PODS].map((resource) => collectionPath(resource, namespace));
  for (const path of paths) await cluster.deleteAll(path);
  for (const path of paths)
    await until("the deletion of all objects", async () => (await cluster.count(path)) === 0, 600);
  await apply(denyAll(namespace));
}

const namespaceObjects = (namespace: string): object[] => [
  {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
  },
  denyAll(namespace),
];

const denyAll = (namespace: string): object => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "deny-all", namespace },
  spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
});

/** The cluster of KUBECONFIG. */
export interface Cluster extends AsyncDisposable {
  readonly transport: KubeTransport;
  /** Creates an object in a collection. */
  create(path: string, body: object): Promise<void>;
  /** Deletes a collection and, in the background, the dependents of its objects. */
  deleteAll(path: string): Promise<void>;
  /** Number of objects in a collection that match the selector. */
  count(path: string, labelSelector?: string): Promise<number>;
}

/** The deletion of thousands of objects takes long. */
const TIMEOUT_MS = 120_000;

/** Attempts to delete one collection. */
const MAX_ATTEMPTS = 10;

async function openCluster(): Promise<Cluster> {
  const connection = await kubeconfigConnection(process.env["KUBECONFIG"] ?? join(homedir(), ".kube/config"));
  const { transport, close } = createKubeClient(connection, {
    userAgent: "glovebox-bench",
    timeoutMs: TIMEOUT_MS,
  });
  return {
    transport,
    async create(path, body) {
      await requestJson(transport, { method: "POST", path, body });
    },
    async deleteAll(path) {
      const body = { propagationPolicy: "Background", gracePeriodSeconds: 0 };
      for (let left = MAX_ATTEMPTS; ; left--) {
        try {
          return void (await requestJson(transport, { method: "DELETE", path, body }));
        } catch (error) {
          // The API server ends a request after a minute. The next one deletes the rest.
          if (left === 0 || !isRetryable(error)) throw error;
        }
      }
    },
    async count(path, labelSelector) {
      const query = { limit: 1, labelSelector };
      const { items, metadata } = await requestJson<ListOfObjects>(transport, { path, query });
      return items.length + (metadata.remainingItemCount ?? 0);
    },
    [Symbol.asyncDispose]: async () => close(),
  };
}

interface ListOfObjects {
  readonly items: readonly unknown[];
  readonly metadata: { readonly remainingItemCount?: number };
}

/** Runs `work` for each item in order, with limited concurrency. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
