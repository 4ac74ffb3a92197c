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
import type { Account } from "@glovebox/store";
import { API_NAME, API_VERSION, KIND, LABELS, SCANS } from "../../k8s/src/names.ts";
import { apply, kubectl } from "../../test/cluster/support/kubectl.ts";
import { startDatabase, type BenchDatabase } from "../src/database.ts";
import { startController, type ControllerEnvironment, type ControllerProcess } from "./controller-process.ts";
import { until } from "../../test/cluster/support/until.ts";

const CRD = fileURLToPath(new URL("../../k8s/crd/scans.yaml", import.meta.url));
/** Requests to the API server at a time, of whoever fills it. */
const AT_ONCE = 16;

/** One scan, as a client of the API submitted it. */
export interface Submitted {
  readonly id: string;
  readonly account: string;
  readonly url: string;
}

/** The cluster, a database, and a namespace as the chart makes it. */
export interface Stage extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly database: BenchDatabase;
  readonly namespace: string;
  account(name: string): Promise<Account>;
  /** Puts the scan on record and creates its Scan, as the API does. */
  submit(scans: readonly Submitted[]): Promise<void>;
  /** Creates the Scans alone. */
  createScans(scans: readonly Submitted[]): Promise<void>;
  controller(environment?: ControllerEnvironment): Promise<ControllerProcess>;
  /** Removes all Scans, and with them what they own, and waits until nothing is left. */
  clear(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  await kubectl(["apply", "-f", CRD]);
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
    const scan = { apiVersion: API_VERSION, kind: KIND, metadata: { name: id, labels: OF_API } };
    return cluster.create(collectionPath(SCANS, namespace), { ...scan, spec: { url, account: name } });
  };
  const running = cleanup.move();
  return {
    cluster,
    database,
    namespace,
    account,
    async submit(scans) {
      await each(scans, AT_ONCE, async ({ id, account: name, url }) => {
        await database.store.scans.submit({
          id,
          account: await account(name),
          url,
        });
        // The controller sees it before the API comes to note it, and does so itself.
        await create({ id, account: name, url });
      });
    },
    createScans: (scans) => each(scans, AT_ONCE, create),
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

const OF_API = { [LABELS.managedBy]: API_NAME };

/** What fake nodes ask of the pods that are to run on them. */
export const ON_SIMULATED_NODES = {
  image: "glovebox/scanner-job:simulated",
  nodeSelector: { type: "kwok" },
  tolerations: [{ key: "type", value: "kwok", effect: "NoSchedule" }],
};

/** Scans of as many hosts as there are scans; `accountOf` names the account of each by its number. */
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

/** What each collection holds goes with one call; a Job's pods go with it. */
async function clear(cluster: Cluster, namespace: string): Promise<void> {
  const paths = [SCANS, JOBS, NETWORK_POLICIES, PODS].map((resource) => collectionPath(resource, namespace));
  for (const path of paths) await cluster.deleteAll(path);
  for (const path of paths)
    await until("nothing is left of the round", async () => (await cluster.count(path)) === 0, 600);
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
  /** Sends an object to a collection. */
  create(path: string, body: object): Promise<void>;
  /** Deletes all of a collection, and what they own after them. */
  deleteAll(path: string): Promise<void>;
  /** How many a collection has, of those with these labels. */
  count(path: string, labelSelector?: string): Promise<number>;
}

/** A machine that also carries the cluster may take long to delete thousands of objects. */
const PATIENCE_MS = 120_000;

/** To delete one collection. */
const MOST_REQUESTS = 10;

export async function openCluster(): Promise<Cluster> {
  const connection = await kubeconfigConnection(process.env["KUBECONFIG"] ?? join(homedir(), ".kube/config"));
  const { transport, close } = createKubeClient(connection, {
    userAgent: "glovebox-bench",
    timeoutMs: PATIENCE_MS,
  });
  return {
    transport,
    async create(path, body) {
      await requestJson(transport, { method: "POST", path, body });
    },
    async deleteAll(path) {
      const body = { propagationPolicy: "Background", gracePeriodSeconds: 0 };
      for (let left = MOST_REQUESTS; ; left--) {
        try {
          return void (await requestJson(transport, { method: "DELETE", path, body }));
        } catch (error) {
          // The server gives a request a minute, and goes on with what is left when it is asked again.
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

/** Does something for each item, so many at a time, in their order. */
export async function each<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
