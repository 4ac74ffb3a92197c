import {
  type Clock,
  collectionPath,
  isNotFound,
  KubeError,
  type KubeTransport,
  loggable,
  NAMESPACES,
  requestJson,
  type Resource,
  sleep,
  systemClock,
} from "@glovebox/kube";
import type { PolicyObject } from "./scan/foreign-policies.ts";

/** A cache of the policies of one kind, such as a Reflector. */
export interface PolicyWatch {
  readonly objects: { list(): readonly unknown[] };
  /** False before the first list, and while its watch fails. */
  readonly isCurrent: boolean;
  readonly status: { readonly lastEventAgeMs: number };
  start(): void;
  stop(): Promise<void>;
}

export interface PolicyCachesOptions {
  readonly discover: (isHeld: (kind: PolicyKind) => boolean) => Promise<DiscoveredKinds>;
  readonly watch: (kind: PolicyKind) => PolicyWatch;
  /** Called when a kind of policies was removed from the cluster. */
  readonly onKindGone: () => void;
  /** The cluster has these policies, and the controller has no permission to read them. Called once for each. */
  readonly onUnreadable: (resource: string) => void;
  /** An API of policies could not be read, or (`kinds of policies`) the kinds could not be discovered. It is tried again. */
  readonly onFailure: (resource: string, error: unknown) => void;
  readonly clock?: Clock;
  /** Interval of the discovery of kinds, in milliseconds. */
  readonly periodMs?: number;
}

/** The cached policies are not up to date: no scan may start, and no report may be read. The message names the API. */
export class PoliciesUnread extends Error {
  override readonly name = "PoliciesUnread";
}

/** How long `assertRead` waits for a discovery, from its start, in milliseconds. A backend that hangs takes longer. */
const DISCOVERY_WAIT_MS = 2000;
const KINDS = "kinds of policies";

/**
 * The policies of network plugins, of all the kinds that the cluster has: a plugin may be installed while the
 * controller runs. Only `stop` ends the discovery.
 */
export class PolicyCaches {
  readonly #options: PolicyCachesOptions;
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #watches = new Map<string, PolicyWatch>();
  readonly #unreadable = new Set<string>();
  #unavailable: readonly UnavailableApi[] = [];
  readonly #stopping = new AbortController();
  #refreshing: Promise<void> | undefined;
  #refreshingSince = 0;
  #running: Promise<void> | undefined;
  #discoveredAt = -Infinity;

  constructor(options: PolicyCachesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#periodMs = options.periodMs ?? 15_000;
  }

  list(): readonly PolicyObject[] {
    return [...this.#watches.values()].flatMap(({ objects }) => objects.list() as readonly PolicyObject[]);
  }

  /** What cannot be read now: API groups, and resources whose watch is broken. */
  unread(): string[] {
    const broken = [...this.#watches].filter(([, watch]) => !watch.isCurrent);
    return [
      ...(this.#isOld ? [KINDS] : []),
      ...this.#unavailable.map(({ api }) => api),
      ...broken.map(([key]) => key.split("/")[0]!),
    ];
  }

  /** Milliseconds since the last list, event or bookmark, by resource. */
  lastEventAgesMs(): Record<string, number> {
    return Object.fromEntries(
      [...this.#watches].map(([key, { status }]) => [key.split("/")[0]!, status.lastEventAgeMs]),
    );
  }

  /**
   * Called before a scan starts, and before its report is read: resolves if the kinds were discovered recently and all of them
   * are listed and watched.
   * @throws PoliciesUnread
   */
  async assertRead(): Promise<void> {
    if (this.#isOld && this.#unavailable.length === 0) await this.#discovered();
    const [unavailable] = this.#unavailable;
    if (unavailable) throw new PoliciesUnread(loggable(unavailable.error));
    const broken = [...this.#watches].find(([, watch]) => !watch.isCurrent);
    if (broken) throw new PoliciesUnread(`${broken[0]} is not listed yet, or its watch is broken`);
  }

  get #isOld(): boolean {
    return this.#clock.monotonic() - this.#discoveredAt > 2 * this.#periodMs;
  }

  /** Resolves when the kinds were discovered again. */
  async #discovered(): Promise<void> {
    const refreshed = this.refresh().then(
      () => undefined,
      (error: unknown) => loggable(error),
    );
    const left = this.#refreshingSince + DISCOVERY_WAIT_MS - this.#clock.monotonic();
    const isLate = sleep(this.#clock, Math.max(0, left), this.#stopping.signal).then(
      () => "the kinds of policies are not discovered yet",
    );
    const failure = await Promise.race([refreshed, isLate]);
    if (failure !== undefined) throw new PoliciesUnread(failure);
  }

  /** Discovers the kinds, and watches new ones. */
  refresh(): Promise<void> {
    if (!this.#refreshing) this.#refreshingSince = this.#clock.monotonic();
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /** Starts the discovery, now and at intervals. */
  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.refresh().catch((error: unknown) => this.#options.onFailure(KINDS, error));
      await sleep(this.#clock, this.#periodMs, signal);
    }
  }

  async #refresh(): Promise<void> {
    const isHeld = (kind: PolicyKind): boolean => this.#watches.has(kindKey(kind));
    const { kinds, unreadable, unavailable } = await this.#options.discover(isHeld);
    if (this.#stopping.signal.aborted) return;
    for (const kind of kinds.filter((one) => !this.#watches.has(kindKey(one)))) {
      const watch = this.#options.watch(kind);
      this.#watches.set(kindKey(kind), watch);
      watch.start();
    }
    this.#unavailable = unavailable;
    for (const { api, error } of unavailable) this.#options.onFailure(api, error);
    await this.#drop(new Set(kinds.map(kindKey)));
    this.#discoveredAt = this.#clock.monotonic();
    for (const resource of unreadable.filter((one) => !this.#unreadable.has(one)))
      this.#options.onUnreadable(resource);
    unreadable.forEach((resource) => this.#unreadable.add(resource));
  }

  /** A kind of an API that is unavailable is kept: it may still be there. */
  async #drop(known: ReadonlySet<string>): Promise<void> {
    const isUnknown = (key: string): boolean => this.#unavailable.some(({ api }) => key.includes(`${api}/`));
    for (const [key, watch] of [...this.#watches].filter(([one]) => !known.has(one) && !isUnknown(one))) {
      this.#watches.delete(key);
      await watch.stop();
      this.#options.onKindGone();
    }
  }
}

const kindKey = ({ resource }: PolicyKind): string => `${resourceNameOf(resource)}/${resource.version}`;

/**
 * A kind of policy that could widen the egress of a scan; of one namespace, or of the whole cluster. Or the namespace of the scans,
 * by whose labels policies of the whole cluster select.
 */
export interface PolicyKind {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly fieldSelector?: string;
}

/** The kinds of policies that can widen egress: of network plugins and of the network policy API. */
const CANDIDATES: readonly { readonly group: string; readonly plural: string; readonly ofCluster?: true }[] =
  [
    { group: "cilium.io", plural: "ciliumnetworkpolicies" },
    { group: "cilium.io", plural: "ciliumclusterwidenetworkpolicies", ofCluster: true },
    { group: "crd.projectcalico.org", plural: "networkpolicies" },
    { group: "crd.projectcalico.org", plural: "globalnetworkpolicies", ofCluster: true },
    { group: "crd.antrea.io", plural: "networkpolicies" },
    { group: "crd.antrea.io", plural: "clusternetworkpolicies", ofCluster: true },
    { group: "policy.networking.k8s.io", plural: "adminnetworkpolicies", ofCluster: true },
    { group: "policy.networking.k8s.io", plural: "clusternetworkpolicies", ofCluster: true },
  ];

/** The group of the API server of Calico, used where its CRDs are not served; otherwise both show the same policies. */
const CALICO_API_SERVER = CANDIDATES.filter(({ group }) => group === "crd.projectcalico.org").map(
  (candidate) => ({ ...candidate, group: "projectcalico.org" }),
);

export interface DiscoveredKinds {
  readonly kinds: readonly PolicyKind[];
  /** Cluster-wide kinds for which the controller has no permission, by choice of the operator. */
  readonly unreadable: readonly string[];
  /** Kinds of these may exist and cannot be read now, so that a widening policy cannot be ruled out. */
  readonly unavailable: readonly UnavailableApi[];
}

interface UnavailableApi {
  /** The API group, or `plural.group` where only that cannot be listed. */
  readonly api: string;
  readonly error: unknown;
}

/**
 * The kinds that this cluster has, each in the preferred version that serves it. Kinds for which `isHeld` is true are not tried
 * again. An API group is unavailable while its aggregated API has no backend; so is a kind that may not be listed in the namespace
 * of the scans.
 * @throws KubeError when the groups cannot be read
 */
export async function discoverPolicyKinds(
  transport: KubeTransport,
  namespace: string,
  isHeld: (kind: PolicyKind) => boolean = () => false,
): Promise<DiscoveredKinds> {
  const { groups = [] } = (await getJson<{ groups?: Group[] }>(transport, "/apis")) ?? {};
  const hasCalicoCrds = groups.some(({ name }) => name === "crd.projectcalico.org");
  const candidates = hasCalicoCrds ? CANDIDATES : [...CANDIDATES, ...CALICO_API_SERVER];
  const known = groups.filter(({ name }) => candidates.some(({ group }) => group === name));
  const answers = await Promise.all(
    known.map((group) => attempt(group.name, () => servedBy(transport, group))),
  );
  const served = answers.flatMap(({ result = [] }) => result);
  const kinds = candidates.flatMap(({ group, plural, ofCluster }): PolicyKind[] => {
    const resource = served.find((one) => one.group === group && one.plural === plural);
    return resource ? [{ resource, namespace: ofCluster ? undefined : namespace }] : [];
  });
  const hasLabels = kinds.some((kind) => kind.namespace === undefined);
  const all = hasLabels ? [...kinds, labelsOf(namespace)] : kinds;
  const seen = await Promise.all(
    all.map(async (kind) => ({
      kind,
      ...(await attempt(resourceNameOf(kind.resource), async () => isHeld(kind) || mayList(transport, kind))),
    })),
  );
  const kindsOf = (wanted: boolean) => seen.flatMap(({ kind, result }) => (result === wanted ? [kind] : []));
  return {
    kinds: kindsOf(true),
    unreadable: kindsOf(false).map(({ resource }) => resourceNameOf(resource)),
    unavailable: [...answers, ...seen].flatMap(({ unavailable = [] }) => unavailable),
  };
}

/** The result, or the API as unavailable. */
async function attempt<T>(
  api: string,
  read: () => Promise<T>,
): Promise<{ readonly result?: T; readonly unavailable?: UnavailableApi }> {
  try {
    return { result: await read() };
  } catch (error) {
    return { unavailable: { api, error } };
  }
}

const labelsOf = (namespace: string): PolicyKind => ({
  resource: NAMESPACES,
  namespace: undefined,
  fieldSelector: `metadata.name=${namespace}`,
});

/** The name of a resource in messages: `plural.group`. */
export const resourceNameOf = ({ plural, group }: Resource): string =>
  group === "" ? plural : `${plural}.${group}`;

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version: string };
}

/** Resources of all versions of a group, the preferred version first; other versions may serve more. */
async function servedBy(
  transport: KubeTransport,
  { name: group, versions, preferredVersion }: Group,
): Promise<Resource[]> {
  const names = versions.map(({ version }) => version);
  const ordered = [...new Set([preferredVersion?.version ?? names[0]!, ...names])];
  const lists = await Promise.all(
    ordered.map(async (version) => {
      const list = await getJson<{ resources?: { name: string }[] }>(transport, `/apis/${group}/${version}`);
      return (list?.resources ?? []).map(({ name }) => ({ group, version, plural: name }));
    }),
  );
  return lists.flat();
}

async function mayList(
  transport: KubeTransport,
  { resource, namespace, fieldSelector }: PolicyKind,
): Promise<boolean> {
  try {
    const path = collectionPath(resource, namespace);
    await requestJson(transport, { path, query: { limit: 1, fieldSelector } });
    return true;
  } catch (error) {
    if (namespace === undefined && error instanceof KubeError && error.code === 403) return false;
    throw error;
  }
}

async function getJson<T>(transport: KubeTransport, path: string): Promise<T | undefined> {
  try {
    return await requestJson<T>(transport, { path });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
