import { PLURAL, scanIdOf, type ScanResource, SCANS } from "@glovebox/k8s";
import type { KubeTransport } from "@glovebox/kube";
import type { Change, Lister } from "./runtime/object-store.ts";
import { Reflector } from "./runtime/reflector.ts";
import { BY_SCAN_ID } from "./scan/slots.ts";

export interface ScanCachesOptions {
  readonly transport: KubeTransport;
  /** Namespace in which the API creates Scans. */
  readonly home: string;
  /** Other namespaces whose Scans are run. */
  readonly others: readonly string[];
  readonly onChange: (change: Change<ScanResource>) => void;
  /** `resource` is `scans` in the home namespace, and `scans/namespace` in others. */
  readonly onFailure: (resource: string, error: unknown) => void;
}

/**
 * Copies of the Scans of several namespaces, read as one. The scan namespace must be synchronized first;
 * another namespace that was deleted, or can no longer be read, does not block.
 */
export class ScanCaches implements Lister<ScanResource> {
  readonly #home: Reflector<ScanResource>;
  readonly #reflectors: ReadonlyMap<string, Reflector<ScanResource>>;

  constructor({ home, others, ...options }: ScanCachesOptions) {
    this.#home = reflectorOf(home, PLURAL, options);
    const beside = others.filter((namespace) => namespace !== home);
    this.#reflectors = new Map([
      [home, this.#home],
      ...beside.map((name) => [name, reflectorOf(name, `${PLURAL}/${name}`, options)] as const),
    ]);
  }

  get(key: string): ScanResource | undefined {
    return this.#reflectors.get(key.split("/")[0]!)?.objects.get(key);
  }

  list(): readonly ScanResource[] {
    return this.#all((scans) => scans.list());
  }

  find(index: string, value: string): readonly ScanResource[] {
    return this.#all((scans) => scans.find(index, value));
  }

  get size(): number {
    return [...this.#reflectors.values()].reduce((sum, { objects }) => sum + objects.size, 0);
  }

  get hasSynced(): boolean {
    return this.#home.hasSynced;
  }

  whenSynced(): Promise<void> {
    return this.#home.whenSynced();
  }

  /** Milliseconds since the last list, event or bookmark, by resource. */
  lastEventAgesMs(): Record<string, number> {
    const named = [...this.#reflectors].map(([namespace, reflector]) => {
      const resource = reflector === this.#home ? PLURAL : `${PLURAL}/${namespace}`;
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

  #all(of: (scans: Lister<ScanResource>) => readonly ScanResource[]): readonly ScanResource[] {
    if (this.#reflectors.size === 1) return of(this.#home.objects);
    return [...this.#reflectors.values()].flatMap(({ objects }) => of(objects));
  }
}

const reflectorOf = (
  namespace: string,
  resource: string,
  { transport, onChange, onFailure }: Omit<ScanCachesOptions, "home" | "others">,
): Reflector<ScanResource> =>
  new Reflector<ScanResource>({
    transport,
    namespace,
    resource: SCANS,
    observer: { failed: (error) => onFailure(resource, error) },
    indexes: { [BY_SCAN_ID]: (scan) => [scanIdOf(scan)] },
    trim: trimScan,
    onChange,
  });

/**
 * Reduces the status of finished Scans to what is read, because most Scans in a cluster are finished and wait for their time to
 * live to end.
 */
export function trimScan(scan: ScanResource): ScanResource {
  const { status } = scan;
  if (status?.finishedAt === undefined) return scan;
  const { phase, startedAt, finishedAt } = status;
  return { ...scan, status: { ...(phase && { phase }), ...(startedAt && { startedAt }), finishedAt } };
}
