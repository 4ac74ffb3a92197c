import { collectionPath, EVENTS, type ObjectName, type Wire } from "../client/resource.ts";
import { type KubeTransport, requestJson } from "../client/client.ts";
import type { EventsV1Event } from "@kubernetes/client-node";

/** An object that events may be about. */
export interface Subject extends ObjectName {
  readonly kind: string;
}

/** A Warning event. */
export interface Warning {
  /** In CamelCase, for programs. */
  readonly reason: string;
  /** For people, in one line. */
  readonly note: string;
}

/** Equal events are counted in one, so a few are enough. */
const MAX_EVENTS = 100;
const MAX_NOTE_LENGTH = 400;

/**
 * The newest event of the type Warning about the object.
 * @throws KubeError
 */
export async function latestWarning(
  transport: KubeTransport,
  { namespace, kind, name }: Subject,
): Promise<Warning | undefined> {
  const fieldSelector = `regarding.kind=${kind},regarding.name=${name},type=Warning`;
  const path = collectionPath(EVENTS, namespace);
  const query = { fieldSelector, limit: MAX_EVENTS };
  const { items = [] } = await requestJson<{ items?: Wire<EventsV1Event>[] }>(transport, { path, query });
  const [newest] = items.toSorted((a, b) => lastSeen(b) - lastSeen(a));
  if (newest?.note === undefined) return undefined;
  const note = newest.note.replaceAll(/\s+/g, " ").trim().slice(0, MAX_NOTE_LENGTH);
  return { reason: newest.reason ?? "", note };
}

/** When it was last seen, in milliseconds; by each of the fields that one or the other writer uses. */
function lastSeen({ series, eventTime, deprecatedLastTimestamp, metadata }: Wire<EventsV1Event>): number {
  const times = [series?.lastObservedTime, eventTime, deprecatedLastTimestamp, metadata?.creationTimestamp];
  return Math.max(0, ...times.flatMap((time) => (time ? [Date.parse(time)] : [])));
}

export interface WarningReaderOptions {
  readonly read: (about: Subject) => Promise<Warning | undefined>;
  /** Rate limit of the reads. */
  readonly mayRead: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

/** Reads the newest warning about an object. Best effort: undefined if it cannot be read. */
export const warningReader =
  ({ read, mayRead, onFailure }: WarningReaderOptions) =>
  async (about: Subject): Promise<Warning | undefined> => {
    if (!mayRead()) return undefined;
    try {
      return await read(about);
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  };
