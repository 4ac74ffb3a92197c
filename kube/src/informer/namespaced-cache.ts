import type { KubeObject, Resource } from "../client/resource.ts";
import type { KubeTransport } from "../client/client.ts";
import type { Change, Lister } from "./object-store.ts";
import { Reflector, type ReflectorOptions } from "./reflector.ts";

export interface NamespacedCacheOptions<T extends KubeObject> extends Pick<
  ReflectorOptions<T>,
  "trim" | "indexes"
> {
  readonly transport: KubeTransport;
  readonly resource: Resource;
  /** The namespace of scans, in which the API creates Scans. */
  readonly home: string;
  /** Other namespaces. */
  readonly others: readonly string[];
  readonly onChange: (change: Change<T>) => void;
  /** `resource` is its plural in the home namespace, and `plural/namespace` in others. */
  readonly onFailure: (resource: string, error: unknown) => void;
}

/**
 * Copies of the objects of one kind in several namespaces, read as one. The home namespace must be synchronized first;
 * another namespace that was deleted, or can no longer be read, does not block.
 */
export class NamespacedCache<T extends KubeObject> implements Lister<T> {
  readonly #plural: string;
  readonly #home: Reflector<T>;
  readonly #reflectors: ReadonlyMap<string, Reflector<T>>;

  constructor({ home, others, ...options }: NamespacedCacheOptions<T>) {
    this.#plural = options.resource.plural;
    this.#home = reflectorOf(home, this.#plural, options);
    const beside = others.filter((namespace) => namespace !== home);
    this.#reflectors = new Map([
      [home, this.#home],
      ...beside.map((name) => [name, reflectorOf(name, `${this.#plural}/${name}`, options)] as const),
    ]);
  }

  get(key: string): T | undefined {
    return this.#reflectors.get(key.split("/")[0]!)?.objects.get(key);
  }

  list(): readonly T[] {
    return this.#all((objects) => objects.list());
  }

  find(index: string, value: string): readonly T[] {
    return this.#all((objects) => objects.find(index, value));
  }

  get size(): number {
    return [...this.#reflectors.values()].reduce((sum, { objects }) => sum + objects.size, 0);
  }

  get hasSynced(): boolean {
    return this.#home.hasSynced;
  }

  /** True once the objects of this namespace were listed. */
  hasSyncedIn(namespace: string): boolean {
    return this.#reflectors.get(namespace)?.hasSynced ?? false;
  }

  whenSynced(): Promise<void> {
    return this.#home.whenSynced();
  }

  /** Milliseconds since the last list, event or bookmark, by resource. */
  lastEventAgesMs(): Record<string, number> {
    const named = [...this.#reflectors].map(([namespace, reflector]) => {
      const resource = reflector === this.#home ? this.#plural : `${this.#plural}/${namespace}`;
      return [resource, reflector.status.lastEventAgeMs] as const;
    });
    return Object.fromEntries(named);
  }

  start(): void {
    for (const reflector of this.#reflectors.values()) reflector.start();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map((reflector) => reflector.stop()));
  }

  #all(of: (objects: Lister<T>) => readonly T[]): readonly T[] {
    if (this.#reflectors.size === 1) return of(this.#home.objects);
    return [...this.#reflectors.values()].flatMap(({ objects }) => of(objects));
  }
}

const reflectorOf = <T extends KubeObject>(
  namespace: string,
  name: string,
  { onFailure, ...options }: Omit<NamespacedCacheOptions<T>, "home" | "others">,
): Reflector<T> =>
  new Reflector<T>({ ...options, namespace, observer: { failed: (error) => onFailure(name, error) } });
