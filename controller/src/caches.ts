import { LABELS, type ScanResource } from "@glovebox/k8s";
import {
  JOBS,
  keyOf,
  type KubeObject,
  type KubeTransport,
  NETWORK_POLICIES,
  PODS,
  type Wire,
} from "@glovebox/kube";
import type { V1Job, V1NetworkPolicy, V1Pod } from "@kubernetes/client-node";
import { byLabel, type Lister } from "./runtime/object-store.ts";
import { Reflector } from "./runtime/reflector.ts";
import type { Change } from "./runtime/replica.ts";
import { isNewsOfJob, isNewsOfPod } from "./news.ts";
import { PoliciesUnread, PolicyCaches } from "./policy-caches.ts";
import { discoverPolicyKinds, nameOf } from "./policy-kinds.ts";
import { ANY_SCAN, type PolicyObject, selectedScan } from "./scan/foreign-policies.ts";
import { BY_JOB, byJob } from "./scan/pods-of-job.ts";
import { BY_SCAN_ID } from "./scan/slots.ts";
import { ScanCaches } from "./scan-caches.ts";
import { trimJob, trimPod } from "./trim-parts.ts";

/** What the controller holds of the cluster. */
export interface Caches {
  readonly scans: Lister<ScanResource>;
  readonly jobs: Lister<Wire<V1Job>>;
  readonly pods: Lister<Wire<V1Pod>>;
  readonly networkPolicies: Lister<Wire<V1NetworkPolicy>>;
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
  onUnseenPolicies(resource: string): void;
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
  silence(): Readonly<Record<string, number>>;
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
    onUnseen: (resource) => events.onUnseenPolicies(resource),
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
    jobs: new Reflector<Wire<V1Job>>({
      ...commonOf(options, "jobs"),
      resource: JOBS,
      indexes,
      trim: trimJob,
      onChange: onPart("job", isNewsOfJob),
    }),
    pods: new Reflector<Wire<V1Pod>>({
      ...commonOf(options, "pods"),
      resource: PODS,
      indexes: { [BY_JOB]: byJob },
      trim: trimPod,
      onChange: onPart("pod", isNewsOfPod),
    }),
    networkPolicies: new Reflector<Wire<V1NetworkPolicy>>({
      ...commonOf(options, "networkpolicies"),
      resource: NETWORK_POLICIES,
      indexes: { ...indexes, [BY_SELECTED_SCAN]: (policy) => [selectedScan(policy as PolicyObject)] },
      onChange: ({ object }) => onPolicy(object, events),
    }),
  };
}

/** Whoever labels a policy as a scan's may still have it select pods of others. */
function onPolicy(policy: Wire<V1NetworkPolicy>, events: CacheEvents): void {
  const id = scanLabelOf(policy);
  if (id !== undefined) events.onPartOfScan(id, "policy", policy);
  if (id === undefined || selectedScan(policy as PolicyObject) !== id) events.onForeignPolicy();
}

interface Reflectors {
  readonly jobs: Reflector<Wire<V1Job>>;
  readonly pods: Reflector<Wire<V1Pod>>;
  readonly networkPolicies: Reflector<Wire<V1NetworkPolicy>>;
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
    silence: () => ({
      ...scans.silence(),
      ...Object.fromEntries(Object.entries(parts).map(([name, { status }]) => [name, status.lastEventAgeMs])),
      ...others.silence(),
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
