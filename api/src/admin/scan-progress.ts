import { setTimeout as pause } from "node:timers/promises";
import { ApiError, type Category, type Progress, type ScanState } from "@glovebox/contract";
import type { ScanRow } from "@glovebox/store";
import { tracked } from "@trpc/server";
import type { Services } from "../deps.ts";
import { RETRY_AFTER } from "../http/respond.ts";
import type { ScanWatch } from "../scans/scan-watch.ts";
import { unwatched } from "../scans/stream-scan-events.ts";

/** Where a scan is. An ended one is followed by no other. */
export interface ScanProgress {
  readonly id: string;
  readonly status: ScanState;
  readonly progress: Progress;
  /** What is being tested now, with its own progress; null: not known. */
  readonly category: (Progress & { readonly name: Category }) | null;
  readonly grade: ScanRow["grade"];
}

export interface Following {
  readonly services: Pick<Services, "hub" | "store" | "closing">;
  readonly accountId: string;
  readonly ids: readonly string[];
  /** Asked from time to time. */
  readonly isStillPermitted: () => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Between two of these questions. */
  readonly everyMs: number;
}

/**
 * The progress of scans until the last has ended. First comes the state of each as it is stored, so that whoever connects again
 * misses nothing. Only the latest progress of each scan is kept for a slow reader.
 * @throws ApiError `not_found`; `unauthorized` when the session ends, `unavailable` at a shutdown: clients connect again
 */
export async function* followScans(following: Following) {
  const { services, signal } = following;
  using feed = new ProgressFeed(following);
  await feed.start();
  let checkedAt = performance.now();
  while (!signal.aborted) {
    for (const item of feed.take()) yield tracked(`${item.id}:${item.progress.done}`, item);
    if (feed.isOver) return;
    const sinceMs = performance.now() - checkedAt;
    await feed.waited(Math.max(0, following.everyMs - sinceMs));
    // Also while progress comes all the time.
    if (signal.aborted || performance.now() - checkedAt < following.everyMs) continue;
    checkedAt = performance.now();
    if (!(await following.isStillPermitted()))
      throw new ApiError("unauthorized", "The session has ended, or its role has changed.");
  }
  if (services.closing.aborted)
    throw new ApiError("unavailable", "The service is shutting down.", { headers: RETRY_AFTER });
}

class ProgressFeed implements Disposable {
  readonly #following: Following;
  readonly #watches = new Map<string, ScanWatch>();
  readonly #latest = new Map<string, ScanProgress>();
  #changed = Promise.withResolvers<void>();

  constructor(following: Following) {
    this.#following = following;
  }

  /** No scan is followed any more, and nothing is left to be taken. */
  get isOver(): boolean {
    return this.#watches.size === 0 && this.#latest.size === 0;
  }

  async start(): Promise<void> {
    for (const id of this.#following.ids) this.#watch(id);
    for (const id of this.#following.ids) {
      const found = await this.#read(id);
      if (!found) throw new ApiError("not_found", "not found", { field: "ids" });
      this.#put(found);
    }
    for (const [id, watch] of this.#watches) void this.#follow(id, watch);
  }

  take(): ScanProgress[] {
    const items = [...this.#latest.values()];
    this.#latest.clear();
    this.#changed = Promise.withResolvers();
    return items;
  }

  /** Until something changes, after this many milliseconds, or until the client has disconnected. */
  async waited(ms: number): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#following.signal]);
    const timeout = pause(ms, undefined, { signal }).catch(() => undefined);
    try {
      await Promise.race([this.#changed.promise, timeout]);
    } finally {
      over.abort();
    }
  }

  [Symbol.dispose](): void {
    for (const id of this.#watches.keys()) this.#unwatch(id);
  }

  #watch(id: string): void {
    const { services, accountId } = this.#following;
    const watch = services.hub.watch(
      { id, accountId },
      {
        onProgress: ({ frame: { category, done, planned }, total }) => {
          this.#put({
            id,
            status: "processing",
            progress: total,
            category: { name: category, done, planned },
            grade: null,
          });
        },
      },
    );
    if (!watch) throw unwatched(services.hub, accountId);
    this.#watches.set(id, watch);
  }

  /** Reads the scan again whenever it may have ended, until it has. */
  async #follow(id: string, watch: ScanWatch): Promise<void> {
    while (this.#watches.get(id) === watch) {
      const wake = await watch.next(NEVER_MS);
      if (wake === "disconnected" || wake === "closing") return;
      // An outage ends with the event `reconnected`, which wakes the watch again.
      const found = await this.#read(id).catch(() => undefined);
      if (found && found.status !== "processing") this.#put(found);
    }
  }

  #put(item: ScanProgress): void {
    if (item.status !== "processing") this.#unwatch(item.id);
    this.#latest.set(item.id, item);
    this.#changed.resolve();
  }

  #unwatch(id: string): void {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    watch?.wake("disconnected"); // ends its timer
    watch?.[Symbol.dispose]();
  }

  async #read(id: string): Promise<ScanProgress | undefined> {
    const row = await this.#following.services.store.scans.get(this.#following.accountId, id);
    if (!row) return undefined;
    const { status, progress, grade } = row;
    return { id, status, progress, category: null, grade };
  }
}

const NEVER_MS = 2 ** 31 - 1;
