import { isDeepStrictEqual } from "node:util";
import { LABELS, type ScanResource } from "@glovebox/k8s";
import {
  JOBS,
  keyOf,
  type KubeObject,
  type KubeTransport,
  NETWORK_POLICIES,
  PODS,
  byLabel,
  type Change,
  type Lister,
  Reflector,
  type ReflectorOptions,
  type NamespacedCache,
} from "@glovebox/kube";
import { PoliciesUnread, PolicyCaches } from "./policy-caches.ts";
import { discoverPolicyKinds, resourceNameOf } from "./policy-discovery.ts";
import type { Job, NetworkPolicy, Pod } from "../kubernetes/api-client.ts";
import { createScanCache, BY_SCAN_ID } from "./scan-cache.ts";
import { hasPodEnded, podView } from "../kubernetes/pod-view.ts";
import { jobView } from "../kubernetes/job-view.ts";
import { ANY_SCAN, type PolicyObject, selectedScan } from "../policies/conflicting-policies.ts";
import { BY_JOB, byJob } from "../kubernetes/ownership.ts";

/** Cached objects of the cluster. */
export interface Caches {
  readonly scans: Lister<ScanResource>;
  readonly jobs: Lister<Job>;
  readonly pods: Lister<Pod>;
  readonly networkPolicies: Lister<NetworkPolicy>;
  /** Policies of all kinds that could select a pod of this scan. */
  policies(scanId: string): readonly PolicyObject[];
  /** Labels of the namespace of the scans; undefined where no policy selects by them, or they may not be watched. */
  namespaceLabels(): Readonly<Record<string, string>> | undefined;
}

/** Changes of objects, from which follows which Scans to reconcile. */
export interface CacheEvents {
  onScan(change: Change<ScanResource>): void;
  /** A Job, policy or pod with the label of this scan. The label is not trusted: it only triggers a reconciliation. */
  onPartOfScan(scanId: string, kind: "job" | "policy" | "pod", object: KubeObject): void;
  /** A policy that is not the controller's, or the labels of the namespace, by which policies select. */
  onOtherPolicy(): void;
}

/** Failures of reads, for logs and metrics. */
export interface CacheFaults {
  onFailure(resource: string, error: unknown): void;
  /** The cluster has policies that the controller has no permission to read. */
  onUnreadablePolicies(resource: string): void;
}

export interface WatchedCaches extends Caches {
  readonly scans: NamespacedCache<ScanResource>;
  /** True once Scans, Jobs, pods and NetworkPolicies were listed; the policies of network plugins are asserted where they count. */
  readonly hasSynced: boolean;
  whenSynced(): Promise<void>;
  /**
   * Called before a scan starts and before its report is read, because a network plugin may be installed at any time, and a
   * watch may fail.
   * @throws PoliciesUnread when the policies of a kind that the cluster has are not up to date
   */
  assertPoliciesRead(): Promise<void>;
  /** The resources and API groups for which that throws now. */
  unreadPolicies(): readonly string[];
  /** Milliseconds since the last list, event or bookmark, by resource. */
  lastEventAgesMs(): Readonly<Record<string, number>>;
  start(): void;
  stop(): Promise<void>;
}

export interface CacheOptions {
  readonly transport: KubeTransport;
  readonly namespace: string;
  /** Further namespaces with Scans. */
  readonly scanNamespaces?: readonly string[];
  readonly events: CacheEvents & CacheFaults;
}

/** Name of the index of policies by the scan that they select. */
const BY_SELECTED_SCAN = "selectedScan";

/** Caches of the Scans, of the Jobs, pods and policies of their namespace, and of the policies of the cluster. */
export function createCaches(options: CacheOptions): WatchedCaches {
  const { transport, namespace, scanNamespaces = [], events } = options;
  const scans = createScanCache({
    transport,
    home: namespace,
    others: scanNamespaces,
    onChange: (change) => events.onScan(change),
    onFailure: (resource, error) => events.onFailure(resource, error),
  });
  const parts = partsOfScans(options);
  const policies = new PolicyCaches({
    discover: (isHeld) => discoverPolicyKinds(transport, namespace, isHeld),
    watch: (kind) =>
      reflectorOf(options, {
        ...kind,
        name: resourceNameOf(kind.resource),
        onChange: () => events.onOtherPolicy(),
      }),
    onKindRemoved: () => events.onOtherPolicy(),
    onUnreadable: (resource) => events.onUnreadablePolicies(resource),
    onFailure: (resource, error) => events.onFailure(resource, error),
  });
  return assemble(scans, parts, policies);
}

type CacheReflectorOptions<T extends KubeObject> = Pick<
  ReflectorOptions<T>,
  "resource" | "namespace" | "fieldSelector" | "onChange" | "trim" | "indexes"
> & { readonly name: string };

function reflectorOf<T extends KubeObject>(
  { transport, namespace, events }: CacheOptions,
  { name, ...options }: CacheReflectorOptions<T>,
): Reflector<T> {
  const failed = (error: unknown): void => events.onFailure(name, error);
  return new Reflector<T>({ transport, namespace, observer: { failed, handlerFailed: failed }, ...options });
}

function partsOfScans(options: CacheOptions) {
  const { events } = options;
  const byScan = { [LABELS.scan]: byLabel(LABELS.scan) };
  const onPart = (kind: "job" | "pod", object: KubeObject): void => {
    const id = scanLabelOf(object);
    if (id !== undefined) events.onPartOfScan(id, kind, object);
  };
  return {
    jobs: reflectorOf<Job>(options, {
      name: "jobs",
      resource: JOBS,
      indexes: byScan,
      trim: trimJob,
      onChange: (change) => (isRelevantJobChange(change) ? onPart("job", change.object) : undefined),
    }),
    pods: reflectorOf<Pod>(options, {
      name: "pods",
      resource: PODS,
      indexes: { [BY_JOB]: byJob },
      trim: trimPod,
      onChange: (change) => (isRelevantPodChange(change) ? onPart("pod", change.object) : undefined),
    }),
    networkpolicies: reflectorOf<NetworkPolicy>(options, {
      name: "networkpolicies",
      resource: NETWORK_POLICIES,
      indexes: { ...byScan, [BY_SELECTED_SCAN]: (policy) => [selectedScan(policy as PolicyObject)] },
      onChange({ object }) {
        const id = scanLabelOf(object);
        if (id !== undefined) events.onPartOfScan(id, "policy", object);
        // A policy may carry the label of one scan and select pods of others.
        if (id === undefined || selectedScan(object as PolicyObject) !== id) events.onOtherPolicy();
      },
    }),
  };
}

function assemble(
  scans: NamespacedCache<ScanResource>,
  parts: ReturnType<typeof partsOfScans>,
  others: PolicyCaches,
): WatchedCaches {
  const { jobs, pods, networkpolicies } = parts;
  const home = [scans, jobs, pods, networkpolicies];
  const all = [...home, others];
  return {
    scans,
    jobs: jobs.objects,
    pods: pods.objects,
    networkPolicies: networkpolicies.objects,
    policies(scanId) {
      const selected = [scanId, ANY_SCAN].flatMap((id) => networkpolicies.objects.find(BY_SELECTED_SCAN, id));
      return [...(selected as readonly PolicyObject[]), ...others.list()];
    },
    namespaceLabels() {
      const [namespace] = others
        .list()
        .filter(({ apiVersion, kind }) => apiVersion === "v1" && kind === "Namespace");
      return namespace && ((namespace as KubeObject).metadata?.labels ?? {});
    },
    get hasSynced() {
      return home.every(({ hasSynced }) => hasSynced);
    },
    whenSynced: async () => void (await Promise.all(home.map((one) => one.whenSynced()))),
    async assertPoliciesRead() {
      if (!networkpolicies.isCurrent) throw new PoliciesUnread("The watch of networkpolicies is broken");
      await others.assertRead();
    },
    unreadPolicies: () => [...(networkpolicies.isCurrent ? [] : ["networkpolicies"]), ...others.unread()],
    lastEventAgesMs: () => ({
      ...scans.lastEventAgesMs(),
      ...Object.fromEntries(Object.entries(parts).map(([name, { status }]) => [name, status.lastEventAgeMs])),
      ...others.lastEventAgesMs(),
    }),
    start: () => all.forEach((one) => one.start()),
    stop: async () => void (await Promise.all(all.map((one) => one.stop()))),
  };
}

const scanLabelOf = ({ metadata }: KubeObject): string | undefined => metadata?.labels?.[LABELS.scan];

/** Keys (`namespace/name`) of the Scans of this id. */
export const keysOfScan = (scans: Caches["scans"], scanId: string): string[] =>
  scans.find(BY_SCAN_ID, scanId).map(keyOf);

/**
 * Whether a change of a Job may change a decision; many changes do not. The count of its pods does not matter, because pods are
 * watched.
 * @internal
 */
export const isRelevantJobChange = (change: Change<Job>): boolean =>
  isViewChanged(change, (job) => ({ ...jobView(job), hadPod: undefined }));

/** The same for a pod. Its end does not count, because the end of its Job follows. @internal */
export const isRelevantPodChange = (change: Change<Pod>): boolean =>
  isViewChanged(change, podView) && !(change.type === "updated" && hasPodEnded(change.object));

const isViewChanged = <T>(change: Change<T>, view: (object: T) => unknown): boolean =>
  change.type !== "updated" || !isDeepStrictEqual(view(change.previous), view(change.object));

/** Drops the spec, which contains the order and is not read. */
function trimJob({ spec: _, ...job }: Job): Job {
  return job;
}

/** Drops the annotations (the order) and the spec, except the service account. @internal */
export function trimPod({ spec, metadata, ...pod }: Pod): Pod {
  const { annotations: _, ...kept } = metadata ?? {};
  const { serviceAccountName } = spec ?? {};
  return {
    ...pod,
    ...(metadata && { metadata: kept }),
    ...(serviceAccountName !== undefined && { spec: { containers: [], serviceAccountName } }),
  };
}
