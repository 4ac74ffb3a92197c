import type { ScanResource } from "@glovebox/k8s";
import type { QueryResponses, Recent, RowState } from "./world.ts";

/** A Scan to reconcile. */
export interface ScanView {
  /** The cached Scan; of a tombstone the last known state. */
  readonly scan: ScanResource;
  /** The Scan was deleted. */
  readonly isTombstone: boolean;
}

/** The results of a query or command that the caches do not show. */
export interface Effects {
  readonly responses?: QueryResponses;
  readonly recent?: Recent;
  /** The row as it was written. */
  readonly row?: RowState | undefined;
  /** The Scan with the status that was written. */
  readonly scan?: ScanResource;
}

/** Scans with an entry; the least recently updated one is dropped first. */
const MAX_SCANS = 10_000;

/**
 * Recent writes and responses that the caches do not show yet, so that no decision uses a stale view, and the API server is not read
 * at every event. How long each is kept:
 *
 * - responses, and the row as it was read: one reconciliation;
 * - a status that was written: until the cache shows another version of the Scan. Each write is on condition of the version
 *   seen, so no write of another client came between the two;
 * - since when a condition of a pod is true: until it is false;
 * - the rest (`Recent`): until it is replaced, the Scan is deleted, or 10,000 other Scans were updated later.
 *
 * Losing it costs a few calls to the API server, and at most one attempt more or less.
 */
export class Overlay {
  /** By uid. */
  readonly #entries = new Map<string, Entry>();

  /** Called once for each reconciliation. */
  of(view: ScanView): ScanOverlay {
    const { uid } = view.scan.metadata;
    return new ScanOverlay(view, this.#entries.get(uid) ?? new Entry(), (entry) => {
      this.#entries.delete(uid);
      this.#entries.set(uid, entry);
      const [oldest] = this.#entries.keys();
      if (this.#entries.size > MAX_SCANS) this.#entries.delete(oldest!);
    });
  }

  /** Called when the deletion of the Scan has been reconciled. */
  forget({ scan: { metadata } }: ScanView): void {
    this.#entries.delete(metadata.uid);
  }
}

class Entry {
  recent: Recent = {};
  /** The Scan as it was written, and the version that the cache had then. */
  written: { readonly over: string | undefined; readonly scan: ScanResource } | undefined;
  /** By condition, since when it is true, in milliseconds of the monotonic clock. Most Scans have none. */
  heldSince: Map<string, number> | undefined;
}

/** The overlay of one Scan during one reconciliation. */
export class ScanOverlay {
  responses: QueryResponses = {};
  /** The row, until a command may have changed it. */
  row: RowState | undefined;
  readonly #view: ScanView;
  readonly #entry: Entry;
  readonly #keep: (entry: Entry) => void;

  constructor(view: ScanView, entry: Entry, keep: (entry: Entry) => void) {
    [this.#view, this.#entry, this.#keep] = [view, entry, keep];
    const isShown = entry.written?.over !== view.scan.metadata.resourceVersion;
    if (isShown || view.isTombstone) entry.written = undefined;
  }

  get scan(): ScanResource {
    return this.#entry.written?.scan ?? this.#view.scan;
  }

  get isDeleted(): boolean {
    return this.#view.isTombstone || this.scan.metadata.deletionTimestamp !== undefined;
  }

  get isRemoved(): boolean {
    return this.#view.isTombstone;
  }

  get recent(): Recent {
    return this.#entry.recent;
  }

  note({ responses, recent, scan }: Omit<Effects, "row">): void {
    this.responses = { ...this.responses, ...responses };
    if (!recent && !scan) return;
    if (recent) this.#entry.recent = { ...this.#entry.recent, ...recent };
    if (scan) this.#entry.written = { over: this.#view.scan.metadata.resourceVersion, scan };
    this.#keep(this.#entry);
  }

  /** How long the condition has been observed to be true, in milliseconds; undefined if it is false. */
  ageOf(condition: string, holds: boolean, monotonic: number): number | undefined {
    if (!holds) return void this.#entry.heldSince?.delete(condition);
    const heldSince = (this.#entry.heldSince ??= new Map());
    const since = heldSince.get(condition) ?? monotonic;
    heldSince.set(condition, since);
    this.#keep(this.#entry);
    return monotonic - since;
  }
}
