import { type Clock, sleep, systemClock } from "../timing/clock.ts";
import { followWatch, JsonLinesError, type WatchEnd, type WatchEvent } from "../client/watch.ts";
import { isGone, retryAfterMs } from "../client/error.ts";
import { type KubeObject } from "../client/resource.ts";
import { type KubeTransport } from "../client/client.ts";
import { listPages, type Selection } from "../client/list.ts";
import {
  applyEvent,
  type Change,
  createObjectStore,
  type IndexFunction,
  type Lister,
  type ObjectStore,
  replaceAll,
} from "./object-store.ts";
import { type Backoff, backoffMs, type Random } from "../timing/throttling.ts";

/** Consecutive failures of a watch before everything is listed again. */
const FAILURES_BEFORE_LIST = 5;

/** A watch that ends earlier without an event counts as a failure, so that there is a pause before the next one. */
const SHORTEST_WATCH_MS = 5000;

/**
 * A cache of the selected objects that reports changes. Only `stop` ends it: failures are retried with backoff. (The informer of
 * the client library stops on most errors.)
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #store: ObjectStore<T>;
  readonly #stopping = new AbortController();
  readonly #synced = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #hasSynced = false;
  #resourceVersion: string | undefined;
  #listReason: ListReason = "first";
  #listedAt = 0;
  #lastEventAt: number;
  /** Since when nothing has failed. */
  #followingSince: number | undefined;
  #lists = 0;
  #failures = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#store = createObjectStore(options.indexes);
    this.#lastEventAt = this.#clock.monotonic();
  }

  /** The objects held now. */
  get objects(): Lister<T> {
    return this.#store;
  }

  /** True once everything was listed and passed to `onChange`. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /**
   * False before the first list, and from a failure until a watch has received an event or was open for a while: changes may have
   * been missed.
   */
  get isCurrent(): boolean {
    if (!this.#hasSynced || this.#followingSince === undefined) return false;
    return this.#failures === 0 || this.#clock.monotonic() - this.#followingSince >= SHORTEST_WATCH_MS;
  }

  get status(): ReflectorStatus {
    return {
      lastEventAgeMs: this.#clock.monotonic() - this.#lastEventAt,
      lists: this.#lists,
      failures: this.#failures,
    };
  }

  /** Resolves once `hasSynced` is true; never, when stopped before. */
  whenSynced(): Promise<void> {
    return this.#synced.promise;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends the watch; when it resolves, `onChange` is not called any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (this.#resourceVersion === undefined) await this.#list();
        if (!this.#stopped) await this.#watch();
      } catch (error) {
        if (!this.#stopped) await this.#recover(error);
      }
    }
  }

  async #list(): Promise<void> {
    const { transport, trim = (object) => object, pageSize = 500, observer } = this.#options;
    const { objects, resourceVersion } = await listPages<T>(transport, {
      ...this.#options,
      pageSize,
      trim: (object) => trim(withoutManagedFields(object)),
      signal: this.#stopping.signal,
    });
    if (this.#stopped) return;
    this.#noteEvent();
    this.#lists += 1;
    this.#listedAt = this.#lastEventAt;
    this.#resourceVersion = resourceVersion;
    observer?.listed?.(this.#listReason, objects.length);
    this.#listReason = "lost";
    replaceAll(this.#store, objects).forEach((change) => this.#tell(change));
    this.#hasSynced = true;
    this.#synced.resolve();
  }

  async #watch(): Promise<void> {
    const { transport, staleMs = 150_000, resyncMs = 600_000, observer } = this.#options;
    const openedAt = this.#clock.monotonic();
    this.#followingSince ??= openedAt;
    const { end, events } = await followWatch<T>(transport, {
      ...this.#options,
      resourceVersion: this.#resourceVersion ?? "",
      timeoutSeconds: Math.round(280 + 20 * this.#random()),
      onEvent: (event) => this.#apply(event),
      staleMs,
      longestMs: Math.max(0, this.#listedAt + resyncMs - openedAt),
      clock: this.#clock,
      signal: this.#stopping.signal,
    });
    if (end === "aborted") return;
    observer?.watchEnded?.(end);
    if (end === "expired") this.#listAgain("resync");
    const lastedMs = this.#clock.monotonic() - openedAt;
    if (end === "closed" && events === 0 && lastedMs < SHORTEST_WATCH_MS) {
      throw new Error("The watch ended immediately, without an event");
    }
  }

  #apply(event: WatchEvent<T>): void {
    this.#noteEvent();
    this.#failures = 0;
    this.#options.observer?.event?.(event.type);
    this.#resourceVersion = event.object.metadata?.resourceVersion ?? this.#resourceVersion;
    if (event.type === "BOOKMARK") return;
    const { trim = (object) => object } = this.#options;
    const object = trim(withoutManagedFields(event.object));
    applyEvent(this.#store, { type: event.type, object }).forEach((change) => this.#tell(change));
  }

  async #recover(error: unknown): Promise<void> {
    const { backoff = { baseMs: 500, maxMs: 30_000 }, observer } = this.#options;
    this.#failures += 1;
    this.#followingSince = undefined;
    const unusable = isGone(error) || error instanceof JsonLinesError;
    if (unusable || this.#failures % FAILURES_BEFORE_LIST === 0) this.#listAgain("lost");
    const waitMs = Math.max(retryAfterMs(error) ?? 0, backoffMs(backoff, this.#failures, this.#random));
    observer?.failed?.(error, waitMs);
    await sleep(this.#clock, waitMs, this.#stopping.signal);
  }

  #listAgain(reason: ListReason): void {
    this.#resourceVersion = undefined;
    if (this.#hasSynced) this.#listReason = reason;
  }

  #noteEvent(): void {
    this.#lastEventAt = this.#clock.monotonic();
  }

  #tell(change: Change<T>): void {
    if (this.#stopped) return;
    const failed = (error: unknown): void => this.#options.observer?.handlerFailed?.(error);
    try {
      Promise.resolve(this.#options.onChange(change)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}

/** The object without the fields that each of its writers owns, which are larger than many objects. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata === undefined || !("managedFields" in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export interface ReflectorOptions<T extends KubeObject> extends Selection {
  readonly transport: KubeTransport;
  /** Called for every change, after it was stored. Errors are reported to the observer only. */
  readonly onChange: (change: Change<T>) => void | Promise<void>;
  /** Drops unused fields of an object; managedFields are always dropped. */
  readonly trim?: (object: T) => T;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  readonly observer?: ReflectorObserver;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Objects per page of a list; 500 when absent. */
  readonly pageSize?: number;
  /** A watch without events and bookmarks for this time is reopened; 150 s when absent (bookmarks come each minute). */
  readonly staleMs?: number;
  /** Interval of full lists, after which `onChange` is called for every object; 10 minutes when absent. */
  readonly resyncMs?: number;
  readonly backoff?: Backoff;
}

/** Hooks for metrics and logs. */
export interface ReflectorObserver {
  /** Everything was listed: at the start, after the watch was lost, or for the resync. */
  listed?(reason: ListReason, objects: number): void;
  event?(type: string): void;
  /** A watch ended without failing. */
  watchEnded?(reason: WatchEnd): void;
  failed?(error: unknown, retryInMs: number): void;
  handlerFailed?(error: unknown): void;
}

export type ListReason = "first" | "lost" | "resync";

export interface ReflectorStatus {
  /** Milliseconds since the last event, bookmark or list; since the start, before the first. */
  readonly lastEventAgeMs: number;
  readonly lists: number;
  /** Failures in a row. */
  readonly failures: number;
}
