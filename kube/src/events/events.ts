import { type Clock, systemClock } from "../timing/clock.ts";
import {
  collectionPath,
  EVENTS,
  type ObjectName,
  objectPath,
  microTime,
  type Wire,
} from "../client/resource.ts";
import { isNotFound } from "../client/error.ts";
import { type KubeRequest, type KubeTransport, requestJson } from "../client/client.ts";
import type { EventsV1Event } from "@kubernetes/client-node";
import { createTokenBucket, type Rate } from "../timing/throttling.ts";

/** An event about an object. */
export interface EventNote {
  readonly regarding: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid?: string;
  };
  readonly type: "Normal" | "Warning";
  /** Why, in UpperCamelCase. */
  readonly reason: string;
  /** What was done, in UpperCamelCase. */
  readonly action: string;
  /** One sentence; cut off after 1,024 characters. */
  readonly note: string;
}

/** Where events are written. All methods throw KubeErrors. */
export interface EventSink {
  create(name: ObjectName, event: EventNote, at: Date): Promise<void>;
  updateSeries(
    name: ObjectName,
    series: { readonly count: number; readonly lastObservedTime: Date },
  ): Promise<void>;
}

/** Events of events.k8s.io/v1. `instance` names this process. */
export function eventSink(transport: KubeTransport, instance: string): EventSink {
  const write = async (request: KubeRequest): Promise<void> => void (await requestJson(transport, request));
  return {
    create: (object, event, at) =>
      write({
        method: "POST",
        path: collectionPath(EVENTS, object.namespace),
        body: toEvent(object, { ...event, instance, at }),
      }),
    updateSeries: (object, { count, lastObservedTime }) =>
      write({
        method: "PATCH",
        path: objectPath(EVENTS, object),
        contentType: "application/merge-patch+json",
        body: { series: { count, lastObservedTime: microTime(lastObservedTime) } },
      }),
  };
}

const MAX_NOTE_LENGTH = 1024;

const toEvent = (
  metadata: ObjectName,
  event: EventNote & { readonly instance: string; readonly at: Date },
): Wire<EventsV1Event> => ({
  metadata: { ...metadata },
  eventTime: microTime(event.at),
  reportingController: "glovebox.dev/controller",
  reportingInstance: event.instance,
  type: event.type,
  reason: event.reason,
  action: event.action,
  note: event.note.slice(0, MAX_NOTE_LENGTH),
  regarding: { ...event.regarding },
});

export interface EventRecorderOptions {
  readonly sink: EventSink;
  /** A new part of a name at each call: 16 hexadecimal digits. */
  readonly newSuffix: () => string;
  /** Called for events that were not written. */
  readonly onDropped?: (reason: "rate" | "failed", error?: unknown) => void;
  readonly clock?: Clock;
  /** Bounds the writes; 25 in a burst and 1 per second when absent. */
  readonly rate?: Rate;
}

/** Equal events within this time increase the count of a series. */
const SERIES_MS = 6 * 60_000;

/** Minimum interval between writes of the count of a series. */
const COUNT_EVERY_MS = 60_000;

/** Limit of remembered series. */
const REMEMBERED = 1000;

interface Series {
  readonly name: ObjectName;
  readonly event: EventNote;
  count: number;
  /** The count that the server has. */
  written: number;
  /** Monotonic time of the last occurrence. */
  seenAt: number;
  lastObservedTime: Date;
  cancelCount: (() => void) | undefined;
  /** The current write: writes are sequential. */
  writing: Promise<void>;
}

/** Writes events about objects. Equal events are counted in one, and their rate is limited. It never throws. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #clock: Clock;
  readonly #mayWrite: () => boolean;
  readonly #series = new Map<string, Series>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#mayWrite = createTokenBucket(options.rate ?? { burst: 25, perSecond: 1 }, this.#clock);
  }

  record(event: EventNote): void {
    const key = JSON.stringify(event);
    const held = this.#series.get(key);
    const running = held !== undefined && this.#clock.monotonic() - held.seenAt < SERIES_MS;
    this.#series.delete(key);
    if (running) this.#countOn(key, held);
    else this.#begin(key, event);
  }

  /** Writes the counts that are due, and resolves when all writes have ended. */
  async stop(): Promise<void> {
    for (const series of this.#series.values()) {
      series.cancelCount?.();
      this.#writeCount(series);
    }
    await Promise.all([...this.#series.values()].map(({ writing }) => writing));
    this.#series.clear();
  }

  #begin(key: string, event: EventNote): void {
    const { newSuffix, sink } = this.#options;
    const { namespace, name } = event.regarding;
    const series: Series = {
      // The name of an object has at most 253 characters.
      name: { namespace, name: `${name.slice(0, 236)}.${newSuffix()}` },
      event,
      count: 1,
      written: 0,
      seenAt: this.#clock.monotonic(),
      lastObservedTime: this.#clock.now(),
      cancelCount: undefined,
      writing: Promise.resolve(),
    };
    this.#remember(key, series);
    this.#write(series, () => sink.create(series.name, event, series.lastObservedTime));
  }

  #countOn(key: string, series: Series): void {
    series.count += 1;
    series.seenAt = this.#clock.monotonic();
    series.lastObservedTime = this.#clock.now();
    this.#remember(key, series);
    series.cancelCount ??= this.#clock.after(COUNT_EVERY_MS, () => {
      series.cancelCount = undefined;
      this.#writeCount(series);
    });
  }

  /** The map is in the order of the last occurrence; the oldest series is dropped first. */
  #remember(key: string, series: Series): void {
    this.#series.set(key, series);
    const [oldest] = this.#series;
    if (this.#series.size <= REMEMBERED || oldest === undefined) return;
    oldest[1].cancelCount?.();
    this.#series.delete(oldest[0]);
  }

  #writeCount(series: Series): void {
    if (series.count === Math.max(1, series.written)) return;
    const { sink } = this.#options;
    this.#write(series, async () => {
      const { name, event, count, lastObservedTime } = series;
      if (series.written === 0) return await sink.create(name, event, lastObservedTime);
      try {
        await sink.updateSeries(name, { count, lastObservedTime });
      } catch (error) {
        // The server forgets events, after an hour by default.
        if (!isNotFound(error)) throw error;
        await sink.create(name, event, lastObservedTime);
      }
    });
  }

  #write(series: Series, send: () => Promise<void>): void {
    if (!this.#mayWrite()) return this.#options.onDropped?.("rate");
    const { count } = series;
    series.writing = series.writing.then(send).then(
      () => void (series.written = count),
      (error: unknown) => this.#options.onDropped?.("failed", error),
    );
  }
}
