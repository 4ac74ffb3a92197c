import type { ScanResource } from "@glovebox/k8s";
import type { Answers, Recent, Row } from "./world.ts";

/** A Scan to look at. */
export interface ScanView {
  /** As the cache has it; of a tombstone the last known state. */
  readonly scan: ScanResource;
  /** The Scan was deleted. */
  readonly isTombstone: boolean;
}

/** What a query or a command came to, beyond what the caches will show of it. */
export interface Effects {
  readonly answers?: Answers;
  readonly recent?: Recent;
  /** The Scan with the status that was written. */
  readonly scan?: ScanResource;
}

/** Scans of which something is remembered; the one noted longest ago is forgotten first. */
const MOST_SCANS = 10_000;

/**
 * What this replica has written or learned and its caches do not show, so that no decision is made on an older view, and
 * the API server is not asked again at every event. Each thing has its time:
 *
 * - answers, and the row as it was read: one reconciliation;
 * - a status that was written: until the cache shows another version of the Scan. Each write is on condition of the version
 *   seen, so nobody else's came between the two;
 * - since when a condition of a pod holds: until it does not;
 * - all else (`Recent`): until it is replaced, the Scan was deleted, or 10,000 others were noted later.
 *
 * Nothing is lost with it but calls of the API server, and at most an attempt more or less.
 */
export class Overlay {
  /** By uid. */
  readonly #entries = new Map<string, Entry>();

  /** To be called once for each reconciliation. */
  of(view: ScanView): ScanOverlay {
    const { uid } = view.scan.metadata;
    return new ScanOverlay(view, this.#entries.get(uid) ?? new Entry(), (entry) => {
      this.#entries.delete(uid);
      this.#entries.set(uid, entry);
      const [oldest] = this.#entries.keys();
      if (this.#entries.size > MOST_SCANS) this.#entries.delete(oldest!);
    });
  }

  /** The Scan was deleted, and that has been dealt with. */
  forget({ scan: { metadata } }: ScanView): void {
    this.#entries.delete(metadata.uid);
  }
}

class Entry {
  recent: Recent = {};
  /** The Scan as it was written, and the version that the cache had then. */
  written: { readonly over: string | undefined; readonly scan: ScanResource } | undefined;
  /** By condition, since when it holds, by a clock that is never set. In milliseconds. */
  readonly heldSince = new Map<string, number>();
}

/** The overlay of one Scan during one reconciliation. */
export class ScanOverlay {
  answers: Answers = {};
  /** As it was read, until a command may have changed it. */
  row: Row | undefined;
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

  get recent(): Recent {
    return this.#entry.recent;
  }

  note({ answers, recent, scan }: Effects): void {
    this.answers = { ...this.answers, ...answers };
    if (!recent && !scan) return;
    if (recent) this.#entry.recent = { ...this.#entry.recent, ...recent };
    if (scan) this.#entry.written = { over: this.#view.scan.metadata.resourceVersion, scan };
    this.#keep(this.#entry);
  }

  /** For how long it was seen to hold without a gap, in milliseconds; undefined where it does not. */
  ageOf(condition: string, holds: boolean, monotonic: number): number | undefined {
    const { heldSince } = this.#entry;
    if (!holds) return void heldSince.delete(condition);
    const since = heldSince.get(condition) ?? monotonic;
    heldSince.set(condition, since);
    this.#keep(this.#entry);
    return monotonic - since;
  }
}
