import { scanIdOf, type ScanResource } from "@glovebox/k8s";
import { keyOf, type Change, type Requeue, WorkQueue, type WorkQueueObserver } from "@glovebox/kube";
import type { StoreEvent } from "@glovebox/store";
import { type CacheEvents, type Caches, keysOfScan } from "../caches/caches.ts";
import type { Orphans } from "./orphans.ts";
import type { ScanView } from "./overlay.ts";
import type { ReconcileDeps } from "./reconcile.ts";
import { BY_SCAN_ID } from "../caches/scan-cache.ts";
import { type Slots } from "./slots.ts";
import { isFinished, lacksRecord } from "./status.ts";

export interface ScanQueueOptions {
  readonly caches: Pick<Caches, "scans">;
  readonly slots: Pick<Slots, "newlyEligible" | "refresh" | "refreshAll">;
  /** Cleanup after deleted Scans of other namespaces. */
  readonly orphans: Pick<Orphans, "check" | "checkAll" | "stop">;
  readonly workers: number;
  readonly observer: WorkQueueObserver;
  /** Creates the reconciler, which calls `find` for the Scan of a key. */
  readonly reconciler: (
    own: Pick<ReconcileDeps, "find" | "forget">,
  ) => (key: string) => Promise<Requeue | undefined>;
}

/**
 * The work queue of the leader: decides which Scan is reconciled, and when. A finished Scan is reconciled when it or its Job, pod
 * or policy changes and when its time to live ends, but not for changes of other policies or of the database.
 */
export class ScanQueue implements CacheEvents {
  readonly #caches: ScanQueueOptions["caches"];
  readonly #slots: ScanQueueOptions["slots"];
  readonly #orphans: ScanQueueOptions["orphans"];
  readonly #queue: WorkQueue;
  /** Deleted Scans that are reconciled once more, by key. */
  readonly #tombstones = new Map<string, ScanResource>();

  constructor({ caches, slots, orphans, workers, observer, reconciler }: ScanQueueOptions) {
    this.#caches = caches;
    this.#orphans = orphans;
    this.#slots = slots;
    const handle = reconciler({
      find: (key) => this.#find(key),
      forget: (key, tombstone) => this.#forget(key, tombstone),
    });
    this.#queue = new WorkQueue({ handle, workers, observer });
    slots.refreshAll();
    orphans.checkAll();
    for (const scan of caches.scans.list()) this.#queue.add(keyOf(scan));
  }

  onScan(change: Change<ScanResource>): void {
    const key = keyOf(change.object);
    const isRemoved = change.type === "deleted";
    if (isRemoved) this.#tombstones.set(key, change.object);
    this.#slots.refresh(scanIdOf(change.object));
    // A finished Scan has a requeue for its time to live already.
    if (change.type !== "resynced" || !isFinished(change.object)) this.#queue.add(key);
    if (isRemoved || isFinished(change.object) || lacksRecord(change.object)) this.#enqueueEligible();
  }

  onPartOfScan(...[scanId, kind, object]: Parameters<CacheEvents["onPartOfScan"]>): void {
    this.#wake(scanId);
    if (kind !== "pod") this.#orphans.check(object);
    if (kind !== "job") return;
    this.#slots.refresh(scanId);
    this.#enqueueEligible();
  }

  /** The policy may widen the egress of any running scan, or may have blocked one. */
  onOtherPolicy(): void {
    this.#wakeUnfinished(this.#caches.scans.list());
  }

  onStoreEvent(event: StoreEvent): void {
    if (event.type === "scanEnded") this.#wakeUnfinished(this.#caches.scans.find(BY_SCAN_ID, event.id));
    if (event.type === "reconnected") this.#wakeUnfinished(this.#caches.scans.list());
  }

  /** Starts no more work, and resolves when the current work has ended. */
  async stop(): Promise<void> {
    await Promise.all([this.#queue.halt(), this.#orphans.stop()]);
  }

  #wake(scanId: string): void {
    for (const key of keysOfScan(this.#caches.scans, scanId)) this.#queue.add(key);
  }

  #wakeUnfinished(scans: readonly ScanResource[]): void {
    for (const scan of scans) if (!isFinished(scan)) this.#queue.add(keyOf(scan));
  }

  #enqueueEligible(): void {
    for (const scan of this.#slots.newlyEligible()) this.#queue.add(keyOf(scan));
  }

  #find(key: string): ScanView | undefined {
    const tombstone = this.#tombstones.get(key);
    if (tombstone) return { scan: tombstone, isTombstone: true };
    const scan = this.#caches.scans.get(key);
    return scan && { scan, isTombstone: false };
  }

  #forget(key: string, { scan }: ScanView): void {
    if (this.#tombstones.get(key) === scan) this.#tombstones.delete(key);
    // Another Scan may have been created under its name meanwhile.
    if (this.#caches.scans.get(key)) this.#queue.add(key);
  }
}
