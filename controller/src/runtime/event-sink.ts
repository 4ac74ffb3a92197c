import {
  collectionPath,
  EVENTS,
  type KubeRequest,
  type KubeTransport,
  type ObjectName,
  objectPath,
  requestJson,
  type Wire,
} from "@glovebox/kube";
import type { EventsV1Event } from "@kubernetes/client-node";
import { microTime } from "./micro-time.ts";

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

const LONGEST_NOTE = 1024;

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
  note: event.note.slice(0, LONGEST_NOTE),
  regarding: { ...event.regarding },
});
