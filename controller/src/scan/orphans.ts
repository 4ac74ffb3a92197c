import type { ScanResource } from "@glovebox/k8s";
import {
  keyOf,
  type KubeObject,
  type ObjectName,
  type Objects,
  WorkQueue,
  type WorkQueueObserver,
} from "@glovebox/kube";
import type { Caches } from "../caches/caches.ts";
import type { KubeApi } from "../kubernetes/api-client.ts";
import { scanNamedBy, type ScanReference } from "../kubernetes/ownership.ts";

export interface OrphansOptions {
  readonly caches: Pick<Caches, "scans" | "jobs" | "networkPolicies">;
  readonly api: Pick<KubeApi, "jobs" | "networkPolicies">;
  readonly scans: Pick<Objects<ScanResource>, "get">;
  /** Other namespaces whose Scans are reconciled: Jobs for Scans of any other namespace are orphans. */
  readonly scanNamespaces: readonly string[];
  readonly observer?: WorkQueueObserver;
}

/**
 * Deletes Jobs and policies whose Scan was deleted in another namespace, where owner references do not work. Normally the
 * reconciliation of the deleted Scan does that. This covers Scans that are deleted while there is no leader, and Jobs that
 * appear in the cache after their Scan was deleted. For the row see docs/adr/0006.
 */
export class Orphans {
  readonly #options: OrphansOptions;
  readonly #queue: WorkQueue;

  constructor(options: OrphansOptions) {
    const { observer } = options;
    this.#options = options;
    this.#queue = new WorkQueue({
      handle: (key) => this.#collect(key),
      workers: 1,
      ...(observer && { observer }),
    });
  }

  /** Called when this process becomes the leader. */
  checkAll(): void {
    const { jobs, networkPolicies } = this.#options.caches;
    for (const object of [...jobs.list(), ...networkPolicies.list()]) this.check(object);
  }

  /** Called for each Job or policy that was added or changed. */
  check(object: KubeObject): void {
    const scan = scanNamedBy(object);
    if (scan && !this.#isSeen(scan)) this.#queue.add(keyOf(object));
  }

  stop(): Promise<void> {
    return this.#queue.halt();
  }

  async #collect(key: string): Promise<undefined> {
    const { caches, api } = this.#options;
    const [job, policy] = [caches.jobs.get(key), caches.networkPolicies.get(key)];
    if (job && (await this.#isOrphan(job))) await api.jobs.delete(nameOf(job));
    if (policy && (await this.#isOrphan(policy))) await api.networkPolicies.delete(nameOf(policy));
  }

  /** Reads from the API server, because the cache may be stale, or the namespace may no longer be readable. */
  async #isOrphan(object: KubeObject): Promise<boolean> {
    const scan = scanNamedBy(object);
    if (!scan || this.#isSeen(scan)) return false;
    if (!this.#options.scanNamespaces.includes(scan.namespace)) return true;
    const there = await this.#options.scans.get(scan);
    return there?.metadata.uid !== scan.uid;
  }

  #isSeen({ namespace, name, uid }: ScanReference): boolean {
    return this.#options.caches.scans.get(`${namespace}/${name}`)?.metadata.uid === uid;
  }
}

const nameOf = ({ metadata }: KubeObject): ObjectName & { readonly uid: string | undefined } => ({
  namespace: metadata?.namespace ?? "",
  name: metadata?.name ?? "",
  uid: metadata?.uid,
});
