import { jsonLines } from "./json-lines.ts";
import { statusError, toKubeError } from "./kube-error.ts";
import type { KubeBody, KubeTransport } from "./kube-transport.ts";
import type { Selection } from "./list-pages.ts";
import { collectionPath, type KubeObject } from "./resource.ts";

export interface WatchRequest extends Selection {
  /** The watch tells of every change after this one. */
  readonly resourceVersion: string;
  /** When the server ends the watch. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** A change, or a bookmark: an object with nothing but the resource version that the watch has reached. */
export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
}

/** Longer than any object that etcd takes (1.5 MiB), with what JSON adds to it. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/**
 * The events of one watch, until the server ends it.
 * @throws KubeError for an error event, a refused request and a broken connection, JsonLinesError for garbage
 */
export async function* watchStream<T extends KubeObject>(
  transport: KubeTransport,
  request: WatchRequest,
): AsyncGenerator<WatchEvent<T>, void> {
  const call = `watch ${request.resource.plural}`;
  const body = await openWatch(transport, request);
  for await (const event of jsonLines(namedFailures(call, body), MAX_EVENT_BYTES)) {
    const { type, object } = event as { type: string; object: { code?: number } };
    if (type === "ERROR") throw statusError(call, object.code ?? 500, { body: object, headers: {} });
    if (TYPES.has(type)) yield event as WatchEvent<T>;
  }
}

const TYPES: ReadonlySet<string> = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]);

const openWatch = (transport: KubeTransport, request: WatchRequest): Promise<KubeBody> =>
  transport({
    path: collectionPath(request.resource, request.namespace),
    query: {
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: request.resourceVersion,
      timeoutSeconds: request.timeoutSeconds,
      labelSelector: request.labelSelector,
    },
    signal: request.signal,
    // A quiet resource is silent for long; the reflector watches over that with its own clock.
    silenceMs: 0,
  });

async function* namedFailures(call: string, body: KubeBody): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toKubeError(call, error);
  }
}
