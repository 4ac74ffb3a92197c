import { type Clock, sleep, systemClock } from "@glovebox/kube";
import { nameOf, type DiscoveredKinds, type PolicyKind } from "./policy-kinds.ts";
import type { PolicyObject } from "./scan/foreign-policies.ts";

/** A copy of the policies of one kind, as a Reflector holds it. */
export interface PolicyWatch {
  readonly objects: { list(): readonly unknown[] };
  readonly hasSynced: boolean;
  /** False while its watch is broken. */
  readonly isCurrent: boolean;
  readonly status: { readonly lastEventAgeMs: number };
  whenSynced(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface PolicyCachesOptions {
  readonly discover: (isHeld: (kind: PolicyKind) => boolean) => Promise<DiscoveredKinds>;
  readonly watch: (kind: PolicyKind) => PolicyWatch;
  /** Policies of a kind that is gone open and block nothing any more. */
  readonly onKindGone: () => void;
  /** The cluster has these policies, and they may not be read. Told once of each. */
  readonly onUnseen: (resource: string) => void;
  readonly onFailure: (error: unknown) => void;
  readonly clock?: Clock;
  /** So often the cluster is asked which kinds it has. */
  readonly periodMs?: number;
}

/** Thrown where a scan is to start, or its report to be read, beside policies that are not known as they are now. */
export class PoliciesUnread extends Error {
  override readonly name = "PoliciesUnread";
}

/**
 * The policies of network plugins, of all the kinds that the cluster has: a plugin may be installed while the
 * controller runs. Nothing but `stop` ends the looking.
 */
export class PolicyCaches {
  readonly #options: PolicyCachesOptions;
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #watches = new Map<string, PolicyWatch>();
  readonly #unseen = new Set<string>();
  readonly #stopping = new AbortController();
  #refreshing: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #lookedAt = -Infinity;

  constructor(options: PolicyCachesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#periodMs = options.periodMs ?? 15_000;
  }

  list(): readonly PolicyObject[] {
    return [...this.#watches.values()].flatMap(({ objects }) => objects.list() as readonly PolicyObject[]);
  }

  /** True once all kinds that are known were listed. */
  get hasSynced(): boolean {
    return [...this.#watches.values()].every(({ hasSynced }) => hasSynced);
  }

  async whenSynced(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.whenSynced()));
  }

  /** Milliseconds since the server was last heard of, by resource. */
  silence(): Record<string, number> {
    return Object.fromEntries(
      [...this.#watches].map(([key, { status }]) => [key.split("/")[0]!, status.lastEventAgeMs]),
    );
  }

  /**
   * To be asked before a scan starts, and before its report is read: resolves when the cluster was asked lately and all
   * that it has was listed and is watched.
   * @throws PoliciesUnread, or what kept it from being asked
   */
  async assertRead(): Promise<void> {
    if (this.#clock.monotonic() - this.#lookedAt > 2 * this.#periodMs) await this.refresh();
    const broken = [...this.#watches].find(([, watch]) => !watch.isCurrent);
    if (broken) throw new PoliciesUnread(`${broken[0]} is not listed yet, or its watch is broken`);
  }

  /** Asks which kinds there are, and watches those that are new. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /** Goes on asking. */
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
    for (;;) {
      await sleep(this.#clock, this.#periodMs, signal);
      if (signal.aborted) return;
      await this.refresh().catch((error: unknown) => this.#options.onFailure(error));
    }
  }

  async #refresh(): Promise<void> {
    const { kinds, unseen } = await this.#options.discover((kind) => this.#watches.has(keyOf(kind)));
    if (this.#stopping.signal.aborted) return;
    for (const kind of kinds.filter((one) => !this.#watches.has(keyOf(one)))) {
      const watch = this.#options.watch(kind);
      this.#watches.set(keyOf(kind), watch);
      watch.start();
    }
    await this.#drop(new Set(kinds.map(keyOf)));
    this.#lookedAt = this.#clock.monotonic();
    for (const resource of unseen.filter((one) => !this.#unseen.has(one))) this.#options.onUnseen(resource);
    unseen.forEach((resource) => this.#unseen.add(resource));
  }

  async #drop(known: ReadonlySet<string>): Promise<void> {
    for (const [key, watch] of [...this.#watches].filter(([one]) => !known.has(one))) {
      this.#watches.delete(key);
      await watch.stop();
      this.#options.onKindGone();
    }
  }
}

const keyOf = ({ resource }: PolicyKind): string => `${nameOf(resource)}/${resource.version}`;
