import type { Clock, KubeObject, KubeTransport, Selection, WatchEnd } from "@glovebox/kube";
import type { Backoff, Random } from "./backoff.ts";
import type { IndexFunction } from "./object-store.ts";
import type { Change } from "./replica.ts";

export interface ReflectorOptions<T extends KubeObject> extends Selection {
  readonly transport: KubeTransport;
  /** Told of every change, after the store has it. What it throws is reported and goes no further. */
  readonly onChange: (change: Change<T>) => void | Promise<void>;
  /** Takes from an object what nobody reads; managedFields are gone already. */
  readonly trim?: (object: T) => T;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  readonly observer?: ReflectorObserver;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Objects per page of a list; 500 when absent. */
  readonly pageSize?: number;
  /** A watch without event and bookmark for so long is opened anew; 150 s when absent (bookmarks come each minute). */
  readonly staleMs?: number;
  /** So long after a list everything is listed again, and every object told of; 10 minutes when absent. */
  readonly resyncMs?: number;
  readonly backoff?: Backoff;
}

/** Hooks for metrics and logs. */
export interface ReflectorObserver {
  /** Everything was listed: the first time, because the watch could not go on (`lost`), or because it was time. */
  listed?(reason: ListReason, objects: number): void;
  event?(type: string): void;
  /** A watch ended without failing. */
  watchEnded?(reason: WatchEnd): void;
  failed?(error: unknown, retryInMs: number): void;
  handlerFailed?(error: unknown): void;
}

export type ListReason = "first" | "lost" | "resync";

export interface ReflectorStatus {
  /** When an event or a bookmark last came, or a list. */
  readonly lastEventAt: Date | undefined;
  /** Milliseconds since the last event, bookmark or list; since the start, before the first. */
  readonly lastEventAgeMs: number;
  readonly lists: number;
  /** Failures in a row. */
  readonly failures: number;
}
