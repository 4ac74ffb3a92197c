import type { ScanResource, ScanStatus } from "@glovebox/k8s";
import { KubeError } from "@glovebox/kube";
import type { Caches } from "../../caches/caches.ts";
import type { NetworkPolicy } from "../../kubernetes/api-client.ts";
import type { PerformDeps } from "../commands.ts";
import type { PolicyObject } from "../../policies/conflicting-policies.ts";
import { LaggingView } from "./lagging-view.ts";
import { jobObject, podObjects, type SimulatedJob } from "./simulated-job.ts";
import { settings, START } from "./worlds.ts";

type Policy = NetworkPolicy;

interface StoredScan {
  readonly status: ScanStatus | undefined;
  readonly exists: boolean;
  readonly resourceVersion: string;
}

/** An API server with one Scan, its Jobs and its policies; caches that lag behind; and what Kubernetes does by itself. */
export class SimulatedKubernetes {
  readonly scan = new LaggingView<StoredScan>({ status: undefined, exists: true, resourceVersion: "0" });
  /** By attempt. */
  readonly jobs = new Map<number, LaggingView<SimulatedJob | undefined>>();
  readonly policies = new Map<number, LaggingView<Policy | undefined>>();
  conflicting: readonly PolicyObject[] = [];
  now = START;
  /** Secrets that the Scan owns. */
  readonly secrets: Set<string>;
  /** False while nothing holds the deadlines of Jobs: a controller manager that is down. */
  holdsDeadlines = true;
  /** True while the API server takes no Job: a quota that is used up. */
  refusesJobs = false;
  /** False while Kubernetes creates no pods: a quota, or a Job controller that is behind. */
  createsPods = true;
  readonly #scan: ScanResource;
  #made = 0;

  constructor(scan: ScanResource) {
    this.#scan = scan;
    const own = scan.spec.identitiesSecretRef?.name;
    this.secrets = new Set(own === undefined ? [] : [own]);
  }

  readonly api: PerformDeps["api"] & { jobs: { get: (object: { name: string }) => Promise<never> } } = {
    jobs: {
      get: async ({ name }) => {
        const job = this.jobs.get(attemptIn(name))?.live;
        return (job && jobObject(job)) as never;
      },
      create: async (_, body) => {
        const manifest = body as SimulatedJob["manifest"];
        if (this.refusesJobs) throw refused("create jobs", 403, "Forbidden");
        const pod = this.createsPods ? STARTED : {};
        create(this.jobs, manifest.metadata!.name!, { manifest, createdAt: this.now, ...pod, log: "report" });
      },
      delete: async ({ name }) => {
        const view = this.jobs.get(attemptIn(name));
        if (view?.live) view.live = view.live.ended ? undefined : { ...view.live, isGoing: true };
      },
    },
    secrets: { delete: async ({ name }) => void this.secrets.delete(name) },
    networkPolicies: {
      create: async (_, body) => {
        const policy = body as Policy;
        const metadata = { ...policy.metadata, uid: this.newUid(), generation: 1 };
        create(this.policies, policy.metadata!.name!, { ...policy, metadata });
      },
      delete: async ({ name }) => {
        const view = this.policies.get(attemptIn(name));
        if (view?.live) view.live = undefined;
      },
    },
  };

  readonly scans: PerformDeps["scans"] = {
    patchStatus: async (_, status, resourceVersion) => {
      const { exists, ...stored } = this.scan.live;
      if (!exists) throw refused("patch scans", 404, "NotFound");
      if (resourceVersion !== stored.resourceVersion) throw refused("patch scans", 409, "Conflict");
      this.scan.live = {
        status: { ...stored.status, ...status },
        exists,
        resourceVersion: String(Number(stored.resourceVersion) + 1),
      };
      return this.#scanObject(this.scan.live);
    },
    delete: async () => this.deleteScan(),
  };

  readonly caches: Pick<Caches, "jobs" | "pods" | "networkPolicies" | "policies" | "namespaceLabels"> = {
    namespaceLabels: () => undefined,
    jobs: lister(() => this.#cachedJobs().map(jobObject)),
    pods: lister((_, uid) => {
      const job = this.#cachedJobs().find((one) => jobObject(one).metadata?.uid === uid);
      return job ? podObjects(job) : [];
    }),
    networkPolicies: lister(() => this.#cachedPolicies()),
    policies: () => [
      ...this.#cachedPolicies().map((policy) => ({ ...policy, kind: "NetworkPolicy" }) as PolicyObject),
      ...this.conflicting,
    ],
  };

  /** As the cache has it; once it was deleted, its last known state. */
  get cachedScan(): { readonly scan: ScanResource; readonly isTombstone: boolean } {
    return { scan: this.#scanObject(this.scan.cached), isTombstone: !this.scan.cached.exists };
  }

  /** The end of a Job is told more than a second after the end of its pod: what befell policies before is known by then. */
  see(what: "scan" | "jobs" | "policies", versions: number): void {
    if (what === "scan") return this.scan.see(versions);
    for (const view of this[what].values()) view.see(versions);
    for (const [attempt, job] of this.jobs) if (job.cached?.ended) this.policies.get(attempt)?.see();
  }

  seeAll(): void {
    for (const view of [this.scan, ...this.jobs.values(), ...this.policies.values()]) view.see();
  }

  deleteScan(): void {
    this.scan.live = { ...this.scan.live, exists: false };
  }

  /** Something happens to the Job that is running, if one is. */
  changeJob(change: (job: SimulatedJob) => SimulatedJob | undefined): void {
    for (const view of this.jobs.values()) if (view.live && !view.live.ended) view.live = change(view.live);
  }

  /** What Kubernetes does by itself: Jobs end at their deadline; what is deleted, or was owned by what is, goes. */
  tick(seconds: number, deadlineSeconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
    this.changeJob((job) =>
      this.holdsDeadlines && this.now.getTime() - job.createdAt.getTime() > deadlineSeconds * 1000
        ? { ...job, pod: undefined, ended: "DeadlineExceeded" }
        : job,
    );
    this.changeJob((job) => (job.isGoing ? undefined : job));
    if (this.createsPods) this.changeJob((job) => (job.hadPod ? job : { ...job, ...STARTED }));
    if (this.scan.live.exists || this.#scan.metadata.namespace !== settings.namespace) return;
    for (const view of [...this.jobs.values(), ...this.policies.values()])
      if (view.live) view.live = undefined;
    this.secrets.clear();
  }

  /** No two objects have the same. */
  newUid(): string {
    return `uid-${++this.#made}`;
  }

  #scanObject({ status, resourceVersion }: StoredScan): ScanResource {
    const { metadata, ...scan } = this.#scan;
    return { ...scan, metadata: { ...metadata, resourceVersion }, ...(status && { status }) };
  }

  #cachedJobs(): SimulatedJob[] {
    return [...this.jobs.values()].flatMap(({ cached }) => cached ?? []);
  }

  #cachedPolicies(): Policy[] {
    return [...this.policies.values()].flatMap(({ cached }) => cached ?? []);
  }
}

/** A pod was made, and runs immediately. */
const STARTED = { pod: { isRunning: true }, hadPod: true } as const;

export const attemptIn = (name: string): number => Number(name.split("-").at(-1));

function create<T>(views: Map<number, LaggingView<T | undefined>>, name: string, value: T): void {
  const view = views.get(attemptIn(name)) ?? new LaggingView<T | undefined>(undefined);
  views.set(attemptIn(name), view);
  if (view.live !== undefined) throw refused(`create ${name}`, 409, "AlreadyExists");
  view.live = value;
}

const refused = (call: string, code: number, reason: string): KubeError =>
  new KubeError(call, { code, reason, detail: code === 403 ? "exceeded quota" : undefined });

/** Nothing but `find` is asked of it. */
const lister = <T>(find: (index: string, value: string) => readonly T[]) => ({
  find,
  get: () => undefined,
  list: () => [],
  size: 0,
});
