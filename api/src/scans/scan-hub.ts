import type { StoreEvent } from "@glovebox/store";
import { ScanWatch, type ProgressEvent } from "./scan-watch.ts";

export interface HubCapacity {
  /** Held requests and event streams at a time. */
  readonly total: number;
  /** Of one account: so that none takes the places of all others. */
  readonly perAccount: number;
}

/** Wakes those who wait for scans, on the store's events. One per process; bounded, in all and for each account. */
export class ScanHub {
  readonly #watches = new Map<string, Set<ScanWatch>>();
  readonly #ofAccounts = new Map<string, number>();
  readonly #capacity: HubCapacity;
  #size = 0;
  #closed = false;

  constructor(capacity: HubCapacity) {
    this.#capacity = capacity;
  }

  /**
   * Starts to watch a scan of the account at once; undefined when too many wait already, of it or in all, or the service
   * is shutting down.
   */
  watch(
    { id, accountId }: { readonly id: string; readonly accountId: string },
    onProgress?: (event: ProgressEvent) => void,
  ): ScanWatch | undefined {
    if (this.#closed || this.#size >= this.#capacity.total || this.isFullFor(accountId)) return undefined;
    const watch = new ScanWatch(() => {
      if (this.#remove(id, watch)) this.#count(accountId, -1);
    }, onProgress);
    this.#count(accountId, 1);
    let watches = this.#watches.get(id);
    if (!watches) this.#watches.set(id, (watches = new Set()));
    watches.add(watch);
    return watch;
  }

  /** The account has its share of those who wait. */
  isFullFor(accountId: string): boolean {
    return (this.#ofAccounts.get(accountId) ?? 0) >= this.#capacity.perAccount;
  }

  publish(event: StoreEvent): void {
    if (event.type === "scanEnded") for (const watch of this.#of(event.id)) watch.wake("changed");
    else if (event.type === "scanProgress") for (const watch of this.#of(event.id)) watch.progress(event);
    else if (event.type === "reconnected") this.#wakeAll("changed");
  }

  /** Sends everyone home: held requests answer with what is known. */
  close(): void {
    this.#closed = true;
    this.#wakeAll("closing");
  }

  get size(): number {
    return this.#size;
  }

  #of(id: string): Iterable<ScanWatch> {
    return this.#watches.get(id) ?? [];
  }

  #wakeAll(reason: "changed" | "closing"): void {
    for (const watches of this.#watches.values()) for (const watch of watches) watch.wake(reason);
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#size += change;
    const count = (this.#ofAccounts.get(accountId) ?? 0) + change;
    if (count === 0) this.#ofAccounts.delete(accountId);
    else this.#ofAccounts.set(accountId, count);
  }

  /** False: it was removed before. */
  #remove(id: string, watch: ScanWatch): boolean {
    const watches = this.#watches.get(id);
    if (!watches?.delete(watch)) return false;
    if (watches.size === 0) this.#watches.delete(id);
    return true;
  }
}
