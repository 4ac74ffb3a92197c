import { keyOf, type KubeObject, type WatchEvent } from "@glovebox/kube";
import type { ObjectStore } from "./object-store.ts";

/** What became of an object, as far as the reflector has seen. */
export type Change<T> =
  | { readonly type: "added" | "deleted" | "resynced"; readonly object: T }
  | { readonly type: "updated"; readonly object: T; readonly previous: T };

/**
 * Makes the store hold exactly the listed objects, and returns what changed: a deletion for each object that is not
 * listed any more, and `resynced` for each that is as it was.
 */
export function replaceAll<T extends KubeObject>(store: ObjectStore<T>, listed: readonly T[]): Change<T>[] {
  const listedKeys = new Set(listed.map(keyOf));
  const gone = store.keys().filter((key) => !listedKeys.has(key));
  return [...gone.flatMap((key) => removed(store, key)), ...listed.flatMap((object) => put(store, object))];
}

/** Applies one event of a watch to the store, and returns what changed. */
export function applyEvent<T extends KubeObject>(
  store: ObjectStore<T>,
  { type, object }: WatchEvent<T>,
): Change<T>[] {
  if (type === "BOOKMARK") return [];
  if (type === "DELETED") {
    store.delete(keyOf(object));
    return [{ type: "deleted", object }];
  }
  return put(store, object).filter((change) => change.type !== "resynced");
}

function put<T extends KubeObject>(store: ObjectStore<T>, object: T): Change<T>[] {
  const previous = store.get(keyOf(object));
  store.put(object);
  if (previous === undefined) return [{ type: "added", object }];
  // Another object under the same name: the deletion of the first one was missed.
  if (previous.metadata?.uid !== object.metadata?.uid) {
    return [
      { type: "deleted", object: previous },
      { type: "added", object },
    ];
  }
  const same = previous.metadata?.resourceVersion === object.metadata?.resourceVersion;
  return [same ? { type: "resynced", object } : { type: "updated", object, previous }];
}

function removed<T extends KubeObject>(store: ObjectStore<T>, key: string): Change<T>[] {
  const object = store.get(key);
  store.delete(key);
  return object === undefined ? [] : [{ type: "deleted", object }];
}
