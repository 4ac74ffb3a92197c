import { keyOf, type KubeObject } from "../client/resource.ts";
import { type WatchEvent } from "../client/watch.ts";

/** The values under which an index finds an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Read access to the objects of a reflector. They are shared and must not be changed. */
export interface Lister<T> {
  get(key: string): T | undefined;
  list(): readonly T[];
  /**
   * The objects that the named index files under the value.
   * @throws for an index that does not exist
   */
  find(index: string, value: string): readonly T[];
  readonly size: number;
}

/** Objects by key and by index. */
export interface ObjectStore<T> extends Lister<T> {
  keys(): readonly string[];
  put(object: T): void;
  delete(key: string): void;
}

/** Files an object under the value of a label. */
export const byLabel =
  (label: string): IndexFunction<KubeObject> =>
  ({ metadata }) => {
    const value = metadata?.labels?.[label];
    return value === undefined ? [] : [value];
  };

export function createObjectStore<T extends KubeObject>(
  indexFunctions: Readonly<Record<string, IndexFunction<T>>> = {},
): ObjectStore<T> {
  const objects = new Map<string, T>();
  const indexes = new Map(
    Object.entries(indexFunctions).map(([name, valuesOf]) => [name, createIndex(valuesOf)] as const),
  );
  const remove = (key: string): void => {
    const held = objects.get(key);
    if (held === undefined) return;
    objects.delete(key);
    for (const index of indexes.values()) index.remove(key, held);
  };
  return {
    get: (key) => objects.get(key),
    list: () => [...objects.values()],
    keys: () => [...objects.keys()],
    find(name, value) {
      const index = indexes.get(name);
      if (index === undefined) throw new Error(`There is no index named ${name}`);
      return [...index.keys(value)].map((key) => objects.get(key)!);
    },
    get size() {
      return objects.size;
    },
    put(object) {
      const key = keyOf(object);
      remove(key);
      objects.set(key, object);
      for (const index of indexes.values()) index.add(key, object);
    },
    delete: remove,
  };
}

interface Index<T> {
  keys(value: string): Iterable<string>;
  add(key: string, object: T): void;
  remove(key: string, object: T): void;
}

function createIndex<T>(valuesOf: IndexFunction<T>): Index<T> {
  /** Nearly all values have one key, which is held without a set: thousands of sets take megabytes. */
  const keysByValue = new Map<string, string | Set<string>>();
  return {
    keys(value) {
      const held = keysByValue.get(value) ?? [];
      return typeof held === "string" ? [held] : held;
    },
    add(key, object) {
      for (const value of valuesOf(object)) {
        const held = keysByValue.get(value);
        if (held === undefined) keysByValue.set(value, key);
        else if (typeof held !== "string") held.add(key);
        else if (held !== key) keysByValue.set(value, new Set([held, key]));
      }
    },
    remove(key, object) {
      for (const value of valuesOf(object)) {
        const held = keysByValue.get(value);
        const isLast = typeof held === "string" ? held === key : held?.delete(key) && held.size === 0;
        if (isLast) keysByValue.delete(value);
      }
    },
  };
}

/** A change of an object that the reflector observed. */
export type Change<T> =
  | { readonly type: "added" | "deleted" | "resynced"; readonly object: T }
  | { readonly type: "updated"; readonly object: T; readonly previous: T };

/**
 * Makes the store hold exactly the listed objects, and returns what changed: a deletion for each object that is not
 * listed any more, and `resynced` for each that is as it was.
 */
export function replaceAll<T extends KubeObject>(store: ObjectStore<T>, listed: readonly T[]): Change<T>[] {
  const listedKeys = new Set(listed.map(keyOf));
  const deleted = store.keys().filter((key) => !listedKeys.has(key));
  return [
    ...deleted.flatMap((key) => removed(store, key)),
    ...listed.flatMap((object) => put(store, object)),
  ];
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
  // Another object with the same name: the deletion of the first one was missed.
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
