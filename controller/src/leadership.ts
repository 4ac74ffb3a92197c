import { scanIdOf, type ScanResource } from "@glovebox/k8s";
import type { StoreEvent } from "@glovebox/store";
import { keysOfScan, type CacheEvents, type Caches } from "./caches.ts";
import { keyOf } from "./runtime/resource.ts";
import type { Change } from "./runtime/replica.ts";
import { type Requeue, WorkQueue, type WorkQueueObserver } from "./runtime/work-queue.ts";
import type { Sighting } from "./scan/observe.ts";
import type { ReconcileDeps } from "./scan/reconcile.ts";
import type { Slots } from "./scan/slots.ts";

export interface LeadershipOptions {
  readonly caches: Pick<Caches, "scans">;
  readonly slots: Pick<Slots, "turns" | "refresh" | "refreshAll">;
  readonly workers: number;
  readonly observer: WorkQueueObserver;
  /** Makes the reconciler, which asks back for what it is to look at. */
  readonly reconciler: (
    own: Pick<ReconcileDeps, "sight" | "forget">,
  ) => (key: string) => Promise<Requeue | undefined>;
}

/** The work of the one replica that leads: which Scan is looked at, and when. */
export class Leadership implements CacheEvents {
  readonly #caches: LeadershipOptions["caches"];
  readonly #slots: LeadershipOptions["slots"];
  readonly #queue: WorkQueue;
  /** Scans that were deleted and are looked at once more, by key. */
  readonly #deleted = new Map<string, ScanResource>();

  constructor({ caches, slots, workers, observer, reconciler }: LeadershipOptions) {
    this.#caches = caches;
    this.#slots = slots;
    const handle = reconciler({
      sight: (key) => this.#sight(key),
      forget: (key, sighting) => this.#forget(key, sighting),
    });
    this.#queue = new WorkQueue({ handle, workers, observer });
    slots.refreshAll();
    this.#wakeAll();
  }

  onScan(change: Change<ScanResource>): void {
    const key = keyOf(change.object);
    const isGone = change.type === "deleted";
    if (isGone) this.#deleted.set(key, change.object);
    this.#slots.refresh(scanIdOf(change.object));
    this.#queue.add(key);
    if (isGone || change.object.status?.finishedAt !== undefined) this.#wakeTurns();
  }

  onPartOfScan(scanId: string, kind: "job" | "policy" | "pod"): void {
    this.#wake(scanId);
    if (kind !== "job") return;
    this.#slots.refresh(scanId);
    this.#wakeTurns();
  }

  /** It may unseal any scan that runs, or block none any more. */
  onForeignPolicy(): void {
    this.#wakeAll();
  }

  onStoreEvent(event: StoreEvent): void {
    if (event.type === "scanEnded") this.#wake(event.id);
    if (event.type === "reconnected") this.#wakeAll();
  }

  /** Ends what is under way in good order, and begins nothing more. */
  stop(): Promise<void> {
    return this.#queue.halt();
  }

  #wake(scanId: string): void {
    for (const key of keysOfScan(this.#caches.scans, scanId)) this.#queue.add(key);
  }

  #wakeAll(): void {
    for (const scan of this.#caches.scans.list()) this.#queue.add(keyOf(scan));
  }

  #wakeTurns(): void {
    for (const scan of this.#slots.turns()) this.#queue.add(keyOf(scan));
  }

  #sight(key: string): Sighting | undefined {
    const deleted = this.#deleted.get(key);
    if (deleted) return { scan: deleted, isGone: true };
    const scan = this.#caches.scans.get(key);
    return scan && { scan, isGone: false };
  }

  #forget(key: string, { scan }: Sighting): void {
    if (this.#deleted.get(key) === scan) this.#deleted.delete(key);
    // Another one may have been created under its name meanwhile.
    if (this.#caches.scans.get(key)) this.#queue.add(key);
  }
}
