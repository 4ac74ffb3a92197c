import {
  isNotFound,
  keyOf,
  type KubeTransport,
  requestJson,
  type Resource,
  sleep,
  systemClock,
  Reflector,
  type Requeue,
  WorkQueue,
  type WorkQueueObserver,
} from "@glovebox/kube";
import { isAnnotated } from "./decide.ts";
import type { DiscoveredKind, DiscoveredObject } from "./hosts.ts";
import { AGAIN_MS, discoveryReconciler, type DiscoveryDeps } from "./reconcile.ts";

export interface DiscoveryOptions extends DiscoveryDeps {
  readonly transport: KubeTransport;
  /** The namespaces whose objects are watched. */
  readonly namespaces: readonly string[];
  readonly observer: WorkQueueObserver;
  /** A watch failed and is restarted. */
  readonly onFailure: (resource: string, error: unknown) => void;
}

const RESOURCES: Readonly<Record<DiscoveredKind, Resource>> = {
  Ingress: { group: "networking.k8s.io", version: "v1", plural: "ingresses" },
  Service: { group: "", version: "v1", plural: "services" },
  HTTPRoute: { group: "gateway.networking.k8s.io", version: "v1", plural: "httproutes" },
};

/** Makes schedules for the hosts of annotated objects. Runs in the leader. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #queue: WorkQueue;
  readonly #reflectors = new Map<string, Reflector<DiscoveredObject>>();
  readonly #stopping = new AbortController();
  readonly #waiting: Promise<void>;
  readonly #reconcile: ReturnType<typeof discoveryReconciler>;

  constructor(options: DiscoveryOptions) {
    const { observer } = options;
    this.#options = options;
    this.#reconcile = discoveryReconciler(options);
    this.#queue = new WorkQueue({ handle: (key) => this.#look(key), workers: 1, observer });
    this.#watch("Ingress");
    this.#watch("Service");
    this.#waiting = this.#awaitRoutes();
  }

  /** Starts no more work, and resolves when the current work has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#waiting;
    const watches = [...this.#reflectors.values()].map((reflector) => reflector.stop());
    await Promise.all([this.#queue.halt(), ...watches]);
  }

  #watch(kind: DiscoveredKind): void {
    const { transport, namespaces, onFailure } = this.#options;
    for (const namespace of namespaces) {
      const reflector = new Reflector<DiscoveredObject>({
        transport,
        namespace,
        resource: RESOURCES[kind],
        trim: trimObject,
        onChange: ({ object }) => this.#queue.add(`${kind}/${keyOf(object)}`),
        observer: { failed: (error) => onFailure(`${RESOURCES[kind].plural}/${namespace}`, error) },
      });
      this.#reflectors.set(`${kind}/${namespace}`, reflector);
      reflector.start();
    }
  }

  /** The resource definition of HTTPRoutes may be installed at any time, or never. */
  async #awaitRoutes(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const isServed = await this.#servesRoutes().catch(() => false);
      if (signal.aborted) return;
      if (isServed) return this.#watch("HTTPRoute");
      await sleep(systemClock, AGAIN_MS, signal);
    }
  }

  async #servesRoutes(): Promise<boolean> {
    const { group, version, plural } = RESOURCES.HTTPRoute;
    try {
      const list = await requestJson<{ resources?: { name: string }[] }>(this.#options.transport, {
        path: `/apis/${group}/${version}`,
        signal: this.#stopping.signal,
      });
      return (list.resources ?? []).some(({ name }) => name === plural);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #look(key: string): Promise<Requeue | undefined> {
    const [kind, namespace, name] = key.split("/") as [DiscoveredKind, string, string];
    const object = this.#reflectors.get(`${kind}/${namespace}`)?.objects.get(`${namespace}/${name}`);
    // The schedules of a deleted object are deleted by Kubernetes.
    return object && this.#reconcile({ kind, resource: RESOURCES[kind], object });
  }
}

/** Keeps what is read: most objects ask for no scans. @internal */
export function trimObject(object: DiscoveredObject): DiscoveredObject {
  if (isAnnotated(object)) return object;
  const { metadata = {} } = object;
  const { name, namespace, uid, resourceVersion } = metadata as Required<typeof metadata>;
  return { metadata: { name, namespace, uid, resourceVersion } };
}
