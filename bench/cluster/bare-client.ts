import { DEFAULT_LIMITS } from "@glovebox/contract";
import { API_VERSION, KIND, type ScanResource } from "@glovebox/k8s";
import { collectionPath, JOBS, type KubeObject, NETWORK_POLICIES } from "@glovebox/kube";
import { Reflector } from "../../kube/src/informer/reflector.ts";
import { jobManifest, policyManifest } from "../../controller/src/scan/manifests.ts";
import { DEFAULT_SCAN_SETTINGS } from "../../controller/src/scan/settings.ts";
import {
  forEachConcurrently,
  ON_SIMULATED_NODES,
  scansFor,
  type Fixture,
  type Submitted,
} from "./fixture.ts";

/** Concurrent requests: the number of the controller's workers. */
const CONCURRENCY = 16;

/** Enough for every simulated node. */
const WARM_UP_JOBS = 50;

/** Simulated nodes start their first pods half a minute late. */
export async function warmUp(fixture: Fixture): Promise<void> {
  await createJobs(fixture, WARM_UP_JOBS);
  await fixture.clear();
}

interface ObservedJob extends KubeObject {
  readonly status?: { readonly succeeded?: number; readonly completionTime?: string };
}

/** Creates Jobs and policies without the controller. Returns the seconds until every Job is complete. */
export async function createJobs({ cluster, namespace }: Fixture, count: number): Promise<number> {
  const complete = Promise.withResolvers<void>();
  const seen = new Set<string>();
  const jobs = new Reflector<ObservedJob>({
    transport: cluster.transport,
    namespace,
    resource: JOBS,
    trim: ({ metadata, status }) => ({ ...(metadata && { metadata }), ...(status && { status }) }),
    onChange({ object: { metadata, status } }) {
      if (status?.succeeded !== 1 || status.completionTime === undefined) return;
      seen.add(metadata!.name!);
      if (seen.size === count) complete.resolve();
    },
  });
  jobs.start();
  await jobs.whenSynced();
  const submitted = scansFor(count, () => "bench");
  const started = performance.now();
  await forEachConcurrently(submitted, CONCURRENCY, async (scan) => {
    const { job, policy } = manifestsOf(scan, namespace);
    await cluster.create(collectionPath(NETWORK_POLICIES, namespace), policy);
    await cluster.create(collectionPath(JOBS, namespace), job);
  });
  await complete.promise;
  const seconds = (performance.now() - started) / 1000;
  await jobs.stop();
  return seconds;
}

/** The objects that the controller would create, without an owner. */
function manifestsOf({ id, url, account }: Submitted, namespace: string): { job: object; policy: object } {
  const metadata = { name: id, namespace, uid: id, generation: 1, creationTimestamp: "" };
  const scan: ScanResource = { apiVersion: API_VERSION, kind: KIND, metadata, spec: { url, account } };
  const canary = { instance: id, ageMs: 0, endpoints: [{ address: "192.0.2.1", port: 8099 }] };
  const isolation = { canaries: canary.endpoints, controlEndpoints: [], waitSeconds: 30 };
  const { hostname } = new URL(url);
  const pins = [{ host: hostname, addresses: [hostname], ports: [443, 80] }];
  const order = { scanId: id, url, pins, isolation, limits: DEFAULT_LIMITS };
  const resources = { cpu: "500m", memory: "512Mi", ephemeralStorage: "128Mi" };
  const pod = { ...ON_SIMULATED_NODES, resources };
  const start = { policy: `${id}/1`, canary };
  const settings = { ...DEFAULT_SCAN_SETTINGS, namespace };
  const job = jobManifest({ scan, attempt: 1, ...start, order, settings, pod });
  const policy = policyManifest({ scan, scanId: id, attempt: 1, namespace, pins });
  for (const { metadata: own } of [job, policy]) delete own!.ownerReferences;
  return { job, policy };
}
