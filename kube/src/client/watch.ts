import type { KubeTransport } from "./client.ts";
import type { Clock } from "../timing/clock.ts";
import { statusError } from "./error.ts";
import type { Selection } from "./list.ts";
import { collectionPath, type KubeObject } from "./resource.ts";

export interface WatchRequest<T extends KubeObject> extends Selection {
  /** The watch reports every change after this resourceVersion. */
  readonly resourceVersion: string;
  /** When the server ends the watch. */
  readonly timeoutSeconds: number;
  readonly onEvent: (event: WatchEvent<T>) => void;
  /** The watch is closed after this time without an event. */
  readonly staleMs: number;
  /** The watch is closed after this time in any case. */
  readonly longestMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A change, or a bookmark: an object with nothing but the resource version that the watch has reached. */
export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
}

/** Why a watch ended: the server closed it, nothing came, its time was up, or the signal aborted. */
export type WatchEnd = "closed" | "stale" | "expired" | "aborted";

export interface FollowedWatch {
  readonly end: WatchEnd;
  /** How many events were passed on, bookmarks included. */
  readonly events: number;
}

/**
 * Follows one watch until it ends. After the signal has aborted, no event is passed on.
 * @throws KubeError for an error event, a refused request and a broken connection, JsonLinesError for garbage
 */
export async function followWatch<T extends KubeObject>(
  transport: KubeTransport,
  request: WatchRequest<T>,
): Promise<FollowedWatch> {
  const { clock, signal, staleMs, longestMs } = request;
  const closing = new AbortController();
  let ending: WatchEnd = "closed";
  let events = 0;
  const end = (reason: WatchEnd) => (): void => {
    if (closing.signal.aborted) return;
    ending = reason;
    closing.abort();
  };
  const aborted = end("aborted");
  signal.addEventListener("abort", aborted, { once: true });
  const cancelExpiry = clock.after(longestMs, end("expired"));
  let cancelStale = clock.after(staleMs, end("stale"));
  try {
    if (signal.aborted) aborted();
    for await (const event of eventsOf<T>(transport, request, closing.signal)) {
      if (closing.signal.aborted) break;
      cancelStale();
      cancelStale = clock.after(staleMs, end("stale"));
      events += 1;
      request.onEvent(event);
    }
  } catch (error) {
    if (!closing.signal.aborted) throw error;
  } finally {
    cancelStale();
    cancelExpiry();
    signal.removeEventListener("abort", aborted);
  }
  return { end: ending, events };
}

/** Longer than any object that etcd takes (1.5 MiB), with what JSON adds to it. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;

const TYPES: ReadonlySet<string> = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]);

async function* eventsOf<T extends KubeObject>(
  transport: KubeTransport,
  { resource, namespace, labelSelector, fieldSelector, resourceVersion, timeoutSeconds }: WatchRequest<T>,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>, void> {
  const body = await transport({
    path: collectionPath(resource, namespace),
    query: {
      ...{ watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds },
      ...{ labelSelector, fieldSelector },
    },
    signal,
    // A quiet resource has no events for long: `staleMs` bounds that.
    idleTimeoutMs: 0,
  });
  for await (const event of jsonLines(body, MAX_EVENT_BYTES)) {
    const { type, object } = event as { type: string; object: { code?: number } };
    if (type === "ERROR")
      throw statusError(`watch ${resource.plural}`, object.code ?? 500, { body: object, headers: {} });
    if (TYPES.has(type)) yield event as WatchEvent<T>;
  }
}

/** A stream of JSON lines that cannot be read on: a line is not JSON, or longer than the limit. */
export class JsonLinesError extends Error {
  override readonly name = "JsonLinesError";
}

const NEWLINE = 0x0a;

/**
 * The values of a stream that holds one JSON text per line. An unfinished last line is left out: it was cut off.
 * @throws JsonLinesError for a line that is not JSON or has more than `maxLineBytes`
 * @internal
 */
export async function* jsonLines(
  stream: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<unknown, void> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, end)]).toString("utf8");
      [rest, restBytes, from] = [[], 0, end + 1];
      if (line.trim() !== "") yield parse(line);
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > maxLineBytes) throw new JsonLinesError(`A line has more than ${maxLineBytes} bytes`);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's own message quotes the text.
    throw new JsonLinesError("A line is not JSON");
  }
}
