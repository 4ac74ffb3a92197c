import type { StoreEvent } from "@glovebox/store";
import { ScanWatch, type ProgressEvent } from "./scan-watch.ts";

/** Wakes those who wait for scans, on the store's events. One per process; bounded. */
export class ScanHub {
  readonly #watches = new Map<string, Set<ScanWatch>>();
  readonly #capacity: number;
  #size = 0;
  #closed = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Starts to watch a scan at once; undefined when too many wait already, or the service is shutting down. */
  watch(id: string, onProgress?: (event: ProgressEvent) => void): ScanWatch | undefined {
    if (this.#closed || this.#size >= this.#capacity) return undefined;
    const watch = new ScanWatch(() => this.#remove(id, watch), onProgress);
    let watches = this.#watches.get(id);
    if (!watches) this.#watches.set(id, (watches = new Set()));
    watches.add(watch);
    this.#size++;
    return watch;
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

  #remove(id: string, watch: ScanWatch): void {
    const watches = this.#watches.get(id);
    if (!watches?.delete(watch)) return;
    this.#size--;
    if (watches.size === 0) this.#watches.delete(id);
  }
}
