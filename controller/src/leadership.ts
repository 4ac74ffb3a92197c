import { scanIdOf, type ScanResource } from "@glovebox/k8s";
import { keyOf } from "@glovebox/kube";
import type { StoreEvent } from "@glovebox/store";
import { type CacheEvents, type Caches, keysOfScan } from "./caches.ts";
import type { Orphans } from "./orphans.ts";
import type { Change } from "./runtime/object-store.ts";
import { type Requeue, WorkQueue, type WorkQueueObserver } from "./runtime/work-queue.ts";
import type { ScanView } from "./scan/overlay.ts";
import type { ReconcileDeps } from "./scan/reconcile.ts";
import { BY_SCAN_ID, type Slots } from "./scan/slots.ts";
import { isFinished } from "./scan/status.ts";

export interface LeadershipOptions {
  readonly caches: Pick<Caches, "scans">;
  readonly slots: Pick<Slots, "newlyEligible" | "refresh" | "refreshAll">;
  /** What Scans of other namespaces leave. */
  readonly orphans: Pick<Orphans, "check" | "checkAll" | "stop">;
  readonly workers: number;
  readonly observer: WorkQueueObserver;
  /** Makes the reconciler, which asks back for what it is to look at. */
  readonly reconciler: (
    own: Pick<ReconcileDeps, "find" | "forget">,
  ) => (key: string) => Promise<Requeue | undefined>;
}

/**
 * The work of the one replica that leads: which Scan is looked at, and when. One that has finished is looked at when it or
 * what it left changes and when its time is over, and costs no query: policies and the store have nothing to say of it.
 */
export class Leadership implements CacheEvents {
  readonly #caches: LeadershipOptions["caches"];
  readonly #slots: LeadershipOptions["slots"];
  readonly #orphans: LeadershipOptions["orphans"];
  readonly #queue: WorkQueue;
  /** Scans that were deleted and are looked at once more, by key. */
  readonly #tombstones = new Map<string, ScanResource>();

  constructor({ caches, slots, orphans, workers, observer, reconciler }: LeadershipOptions) {
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
    const isGone = change.type === "deleted";
    if (isGone) this.#tombstones.set(key, change.object);
    this.#slots.refresh(scanIdOf(change.object));
    // The look at its end has set the time of the next one.
    if (change.type !== "resynced" || !isFinished(change.object)) this.#queue.add(key);
    if (isGone || isFinished(change.object)) this.#enqueueEligible();
  }

  onPartOfScan(...[scanId, kind, object]: Parameters<CacheEvents["onPartOfScan"]>): void {
    this.#wake(scanId);
    if (kind !== "pod") this.#orphans.check(object);
    if (kind !== "job") return;
    this.#slots.refresh(scanId);
    this.#enqueueEligible();
  }

  /** It may unseal any scan that runs, or block none any more. */
  onForeignPolicy(): void {
    this.#wakeUnfinished(this.#caches.scans.list());
  }

  onStoreEvent(event: StoreEvent): void {
    if (event.type === "scanEnded") this.#wakeUnfinished(this.#caches.scans.find(BY_SCAN_ID, event.id));
    if (event.type === "reconnected") this.#wakeUnfinished(this.#caches.scans.list());
  }

  /** Ends what is under way in good order, and begins nothing more. */
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
    // Another one may have been created under its name meanwhile.
    if (this.#caches.scans.get(key)) this.#queue.add(key);
  }
}
