import {
  collectionPath,
  EVENTS,
  type KubeTransport,
  type ObjectName,
  requestJson,
  type Wire,
} from "@glovebox/kube";
import type { EventsV1Event } from "@kubernetes/client-node";

/** An object that something may have been said of. */
export interface Subject extends ObjectName {
  readonly kind: string;
}

/** A controller that tries again and again writes a few events, and then counts on. */
const MOST_EVENTS = 100;
const LONGEST_WORDS = 400;

/**
 * What the newest event of the type Warning says of the object, in one line.
 * @throws KubeError
 */
export async function latestWarning(
  transport: KubeTransport,
  { namespace, kind, name }: Subject,
): Promise<string | undefined> {
  const fieldSelector = `regarding.kind=${kind},regarding.name=${name},type=Warning`;
  const path = collectionPath(EVENTS, namespace);
  const query = { fieldSelector, limit: MOST_EVENTS };
  const { items = [] } = await requestJson<{ items?: Wire<EventsV1Event>[] }>(transport, { path, query });
  const [newest] = items.toSorted((a, b) => lastSeen(b) - lastSeen(a));
  return newest?.note?.replaceAll(/\s+/g, " ").trim().slice(0, LONGEST_WORDS);
}

/** When it was last seen, in milliseconds; by each of the fields that one or the other writer uses. */
function lastSeen({ series, eventTime, deprecatedLastTimestamp, metadata }: Wire<EventsV1Event>): number {
  const times = [series?.lastObservedTime, eventTime, deprecatedLastTimestamp, metadata?.creationTimestamp];
  return Math.max(0, ...times.flatMap((time) => (time ? [Date.parse(time)] : [])));
}
