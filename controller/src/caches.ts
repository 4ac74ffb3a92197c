import { isDeepStrictEqual } from "node:util";
import { LABELS, type ScanResource } from "@glovebox/k8s";
import { JOBS, keyOf, type KubeObject, type KubeTransport, NETWORK_POLICIES, PODS } from "@glovebox/kube";
import { discoverPolicyKinds, nameOf, PoliciesUnread, PolicyCaches } from "./policy-caches.ts";
import type { Job, NetworkPolicy, Pod } from "./runtime/api-client.ts";
import { byLabel, type Change, type Lister } from "./runtime/object-store.ts";
import { Reflector } from "./runtime/reflector.ts";
import { ScanCaches } from "./scan-caches.ts";
import { jobView, podView } from "./scan/attempt-views.ts";
import { ANY_SCAN, type PolicyObject, selectedScan } from "./scan/foreign-policies.ts";
import { BY_JOB, byJob } from "./scan/ownership.ts";
import { BY_SCAN_ID } from "./scan/slots.ts";

/** What the controller holds of the cluster. */
export interface Caches {
  readonly scans: Lister<ScanResource>;
  readonly jobs: Lister<Job>;
  readonly pods: Lister<Pod>;
  readonly networkPolicies: Lister<NetworkPolicy>;
  /** Policies of all kinds that could select a pod of this scan. */
  policies(scanId: string): readonly PolicyObject[];
}

/** What became of one object, for whoever decides which Scans to look at. */
export interface CacheEvents {
  onScan(change: Change<ScanResource>): void;
  /** A Job, policy or pod that carries the label of this scan. Anybody's may: it is a reason to look, and no more. */
  onPartOfScan(scanId: string, kind: "job" | "policy" | "pod", object: KubeObject): void;
  /** A policy that is none of ours. */
  onForeignPolicy(): void;
}

/** What could not be seen, for logs and metrics. */
export interface CacheFaults {
  onFailure(resource: string, error: unknown): void;
  /** The cluster has policies that may not be read. */
  onUnreadablePolicies(resource: string): void;
}

export interface WatchedCaches extends Caches {
  readonly hasSynced: boolean;
  whenSynced(): Promise<void>;
  /**
   * To be asked before a scan starts and before its report is read: a network plugin may be installed at any time, and a
   * watch may be broken.
   * @throws when not all kinds of policies that the cluster has were read, or what became of them is not known
   */
  assertPoliciesRead(): Promise<void>;
  /** Milliseconds since the server was last heard of, by resource. */
  lastEventAgesMs(): Readonly<Record<string, number>>;
  /** @throws KubeError when policies of the scans' namespace may not be listed */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface CacheOptions {
  readonly transport: KubeTransport;
  readonly namespace: string;
  /** Where Scans are besides. */
  readonly scanNamespaces?: readonly string[];
  readonly events: CacheEvents & CacheFaults;
}

/** Name of the index of policies by the scan that they select. */
const BY_SELECTED_SCAN = "selectedScan";

/** Copies of the Scans, and of the Jobs, pods and policies of their namespace, and of the cluster's policies. */
export function createCaches(options: CacheOptions): WatchedCaches {
  const { transport, namespace, scanNamespaces, events } = options;
  const scans = new ScanCaches({
    ...{ transport, home: namespace, others: scanNamespaces ?? [] },
    onChange: (change) => events.onScan(change),
    onFailure: (resource, error) => events.onFailure(resource, error),
  });
  return assemble(scans, partsOfScans(options), policyCaches(options));
}

const commonOf = ({ transport, namespace, events }: CacheOptions, plural: string) => ({
  transport,
  namespace,
  observer: { failed: (error: unknown) => events.onFailure(plural, error) },
});

/** Policies of network plugins. */
function policyCaches(options: CacheOptions): PolicyCaches {
  const { transport, namespace, events } = options;
  return new PolicyCaches({
    discover: (isHeld) => discoverPolicyKinds(transport, namespace, isHeld),
    watch: ({ resource, namespace: where }) =>
      new Reflector<KubeObject>({
        ...commonOf(options, nameOf(resource)),
        resource,
        namespace: where,
        onChange: () => events.onForeignPolicy(),
      }),
    onKindGone: () => events.onForeignPolicy(),
    onUnreadable: (resource) => events.onUnreadablePolicies(resource),
    onFailure: (error) => events.onFailure("kinds of policies", error),
  });
}

function partsOfScans(options: CacheOptions): Reflectors {
  const { events } = options;
  const indexes = { [LABELS.scan]: byLabel(LABELS.scan) };
  const onPart =
    <T extends KubeObject>(kind: "job" | "pod", isNews: (change: Change<T>) => boolean) =>
    (change: Change<T>): void => {
      const id = scanLabelOf(change.object);
      if (id !== undefined && isNews(change)) events.onPartOfScan(id, kind, change.object);
    };
  return {
    jobs: new Reflector<Job>({
      ...commonOf(options, "jobs"),
      resource: JOBS,
      indexes,
      trim: trimJob,
      onChange: onPart("job", isRelevantJobChange),
    }),
    pods: new Reflector<Pod>({
      ...commonOf(options, "pods"),
      resource: PODS,
      indexes: { [BY_JOB]: byJob },
      trim: trimPod,
      onChange: onPart("pod", isRelevantPodChange),
    }),
    networkPolicies: new Reflector<NetworkPolicy>({
      ...commonOf(options, "networkpolicies"),
      resource: NETWORK_POLICIES,
      indexes: { ...indexes, [BY_SELECTED_SCAN]: (policy) => [selectedScan(policy as PolicyObject)] },
      onChange: ({ object }) => onPolicy(object, events),
    }),
  };
}

/** Whoever labels a policy as a scan's may still have it select pods of others. */
function onPolicy(policy: NetworkPolicy, events: CacheEvents): void {
  const id = scanLabelOf(policy);
  if (id !== undefined) events.onPartOfScan(id, "policy", policy);
  if (id === undefined || selectedScan(policy as PolicyObject) !== id) events.onForeignPolicy();
}

interface Reflectors {
  readonly jobs: Reflector<Job>;
  readonly pods: Reflector<Pod>;
  readonly networkPolicies: Reflector<NetworkPolicy>;
}

function assemble(scans: ScanCaches, own: Reflectors, others: PolicyCaches): WatchedCaches {
  const parts = { jobs: own.jobs, pods: own.pods, networkpolicies: own.networkPolicies };
  const all = [scans, ...Object.values(parts), others];
  return {
    scans,
    jobs: own.jobs.objects,
    pods: own.pods.objects,
    networkPolicies: own.networkPolicies.objects,
    policies(scanId) {
      const { objects } = own.networkPolicies;
      const found = [scanId, ANY_SCAN].flatMap((selected) => objects.find(BY_SELECTED_SCAN, selected));
      return [...(found as readonly PolicyObject[]), ...others.list()];
    },
    get hasSynced() {
      return all.every(({ hasSynced }) => hasSynced);
    },
    whenSynced: async () => void (await Promise.all(all.map((one) => one.whenSynced()))),
    async assertPoliciesRead() {
      if (!own.networkPolicies.isCurrent) throw new PoliciesUnread("The watch of networkpolicies is broken");
      await others.assertRead();
    },
    lastEventAgesMs: () => ({
      ...scans.lastEventAgesMs(),
      ...Object.fromEntries(Object.entries(parts).map(([name, { status }]) => [name, status.lastEventAgeMs])),
      ...others.lastEventAgesMs(),
    }),
    async start() {
      await others.refresh();
      for (const one of all) one.start();
    },
    stop: async () => void (await Promise.all(all.map((one) => one.stop()))),
  };
}

const scanLabelOf = ({ metadata }: KubeObject): string | undefined => metadata?.labels?.[LABELS.scan];

/** The Scan of this id, by `namespace/name`. */
export const keysOfScan = (scans: Caches["scans"], scanId: string): string[] =>
  scans.find(BY_SCAN_ID, scanId).map(keyOf);

/**
 * Whether a change of a Job may change what is decided on its scan now: much of what Kubernetes writes down does not. That it
 * has had a pod needs no look, for the pod itself is seen.
 */
export const isRelevantJobChange = (change: Change<Job>): boolean =>
  hasChanged(change, (job) => ({ ...jobView(job), hadPod: undefined }));

/** The same of a pod. What its end means, the end of its Job says, which follows. */
export const isRelevantPodChange = (change: Change<Pod>): boolean =>
  hasChanged(change, podView) && !(change.type === "updated" && hasEnded(change.object));

const hasChanged = <T>(change: Change<T>, view: (object: T) => unknown): boolean =>
  change.type !== "updated" || !isDeepStrictEqual(view(change.previous), view(change.object));

const hasEnded = ({ status }: Pod): boolean => status?.phase === "Succeeded" || status?.phase === "Failed";

/** The order inside is large, and nobody reads it again. */
export function trimJob(job: Job): Job {
  const { spec: _, ...rest } = job;
  return rest;
}

/** Its spec and its annotations, the order among them: nobody reads them again, but for the service account. */
export function trimPod(pod: Pod): Pod {
  const { spec, ...rest } = pod;
  const { serviceAccountName } = spec ?? {};
  return {
    ...rest,
    ...(rest.metadata && { metadata: withoutAnnotations(rest.metadata) }),
    ...(serviceAccountName !== undefined && { spec: { containers: [], serviceAccountName } }),
  };
}

function withoutAnnotations<T extends { annotations?: unknown }>(metadata: T): T {
  const { annotations: _, ...rest } = metadata;
  return rest as T;
}
