import { type Clock, loggable, sleep, systemClock } from "@glovebox/kube";
import {
  type DiscoveredKinds,
  type PolicyKind,
  resourceNameOf,
  type UnavailableApi,
} from "./policy-discovery.ts";
import type { PolicyObject } from "../policies/conflicting-policies.ts";

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
  readonly onKindRemoved: () => void;
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
    const isUnknown = (key: string): boolean => {
      const [name] = key.split("/") as [string];
      const group = name.slice(name.indexOf(".") + 1);
      return this.#unavailable.some(({ api }) => api === name || api === group);
    };
    for (const [key, watch] of [...this.#watches].filter(([one]) => !known.has(one) && !isUnknown(one))) {
      this.#watches.delete(key);
      await watch.stop();
      this.#options.onKindRemoved();
    }
  }
}

const kindKey = ({ resource }: PolicyKind): string => `${resourceNameOf(resource)}/${resource.version}`;
