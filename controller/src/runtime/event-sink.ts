import { type EventsV1Event, EventsV1Api, V1MicroTime } from "@kubernetes/client-node";
import { writeOptions } from "./call-options.ts";
import { toKubeError } from "./kube-error.ts";
import type { PooledKubeConfig } from "./pooled-kube-config.ts";
import type { ObjectName } from "./resource.ts";

/** What an event is about. */
export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}

/** Something that happened to an object, for people who look at it. */
export interface EventNote {
  readonly regarding: Regarding;
  readonly type: "Normal" | "Warning";
  /** Why, in UpperCamelCase. */
  readonly reason: string;
  /** What was done, in UpperCamelCase. */
  readonly action: string;
  /** One sentence; cut off after 1,024 characters. */
  readonly note: string;
}

/** How often an event has happened, and when last. */
export interface EventSeries {
  readonly count: number;
  readonly lastObservedTime: Date;
}

/** Where events are written. All methods throw KubeErrors. */
export interface EventSink {
  create(name: ObjectName, event: EventNote, at: Date): Promise<void>;
  updateSeries(name: ObjectName, series: EventSeries): Promise<void>;
}

/** Events of events.k8s.io/v1. `instance` names this process. */
export function eventSink(config: PooledKubeConfig, instance: string): EventSink {
  const api = config.makeApiClient(EventsV1Api);
  return {
    create: (object, event, at) => {
      const body = toEvent(object, { ...event, instance, at });
      return named("create events", api.createNamespacedEvent({ namespace: object.namespace, body }));
    },
    updateSeries: (object, { count, lastObservedTime }) => {
      const body = { series: { count, lastObservedTime: new V1MicroTime(lastObservedTime) } };
      const options = writeOptions(undefined, "application/merge-patch+json");
      return named("patch events", api.patchNamespacedEvent({ ...object, body }, options));
    },
  };
}

const LONGEST_NOTE = 1024;

const toEvent = (
  metadata: ObjectName,
  event: EventNote & { readonly instance: string; readonly at: Date },
): EventsV1Event => ({
  metadata: { ...metadata },
  eventTime: new V1MicroTime(event.at),
  reportingController: "glovebox.dev/controller",
  reportingInstance: event.instance,
  type: event.type,
  reason: event.reason,
  action: event.action,
  note: event.note.slice(0, LONGEST_NOTE),
  regarding: { ...event.regarding },
});

async function named(call: string, written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    throw toKubeError(call, error);
  }
}
