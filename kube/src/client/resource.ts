/** A kind of object, by its path in the API. `group` is empty for the core group. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

export const LEASES: Resource = { group: "coordination.k8s.io", version: "v1", plural: "leases" };
export const EVENTS: Resource = { group: "events.k8s.io", version: "v1", plural: "events" };
export const JOBS: Resource = { group: "batch", version: "v1", plural: "jobs" };
export const NAMESPACES: Resource = { group: "", version: "v1", plural: "namespaces" };
export const SECRETS: Resource = { group: "", version: "v1", plural: "secrets" };
export const PODS: Resource = { group: "", version: "v1", plural: "pods" };
export const NETWORK_POLICIES: Resource = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "networkpolicies",
};

/** The path of a collection; of all namespaces when none is named. */
export function collectionPath({ group, version, plural }: Resource, namespace?: string): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined
    ? `${root}/${plural}`
    : `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

/** The path of one object. */
export const objectPath = (resource: Resource, { namespace, name }: ObjectName): string =>
  `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;

/** One object by its name. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * An object as it is on the wire, and in the responses of reflectors and reads: timestamps are texts, and the names that
 * the library begins with an underscore (`_from`) have none.
 */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Field in keyof T as Field extends `_${infer Name}` ? Name : Field]: Wire<T[Field]> }
      : T;

/** What every object has. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: KubeMetadata;
}

export interface KubeMetadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly {
    readonly uid: string;
    readonly kind?: string;
    readonly controller?: boolean;
  }[];
}

/** The key of an object: `namespace/name`, or `name` for one outside namespaces. */
export function keyOf({ metadata = {} }: KubeObject): string {
  const { namespace, name = "" } = metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** A moment as the API takes it in fields of the type MicroTime (meta/v1): RFC 3339 with microseconds. */
export const microTime = (moment: Date): string => moment.toISOString().replace("Z", "000Z");
