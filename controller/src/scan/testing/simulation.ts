import { type DeliveredOutcome } from "@glovebox/scan-run";
import { isolationFailure, isRefunded, scanFailure } from "@glovebox/contract";
import { ANNOTATIONS, API_NAME, identitiesSecretName, LABELS, scanIdOf } from "@glovebox/k8s";
import { KubeError } from "@glovebox/kube";
import type { ScanRow } from "@glovebox/store";
import type { NetworkPolicy } from "../../kubernetes/api-client.ts";
import { hasSpecFor } from "../manifests.ts";
import { nameOfAction } from "../plan.ts";
import { type ReconcileDeps, reconciler } from "../reconcile.ts";
import type { ReportResponse, TargetResponse, World } from "../world.ts";
import { FakeStore, processingRow } from "./fake-store.ts";
import type { SimulatedJob } from "./simulated-job.ts";
import { attemptIn, SimulatedKubernetes } from "./simulated-kubernetes.ts";
import { canary, pins, report, SCAN_ID, scanResource, settings, START } from "./worlds.ts";

type Policy = NetworkPolicy;

type CreatedJob = Parameters<SimulatedKubernetes["api"]["jobs"]["create"]>[1];

/** The controller ends in the midst of a plan. */
class Interrupted extends Error {}

/** What others may do to the policies of a scan. */
export const TAMPERINGS: Readonly<
  Record<string, (policy: Policy | undefined, last: Policy, newUid: string) => Policy | undefined>
> = {
  remove: () => undefined,
  change: (policy) => policy && changed(policy, 1, { ...policy.spec!, egress: [{}] }),
  changeAndRestore: (policy) => policy && changed(policy, 2),
  makeAgain: (_, last, uid) => ({ ...last, metadata: { ...last.metadata, uid, generation: 1 } }),
};

const changed = ({ metadata, ...policy }: Policy, times: number, spec = policy.spec): Policy => ({
  ...policy,
  metadata: { ...metadata, generation: metadata!.generation! + times },
  ...(spec && { spec }),
});

/** How the row of the Scan is found first: written by the API, which noted the Scan or died before, or not there. */
export type FirstRow = "byApi" | "unnoted" | "byHand" | "ofAnother" | "forSomethingElse";

/**
 * The real reconcile loop over a Kubernetes and a store for tests. What may never happen and does is written to `broken`.
 */
export class Simulation {
  readonly kubernetes: SimulatedKubernetes;
  readonly store = new FakeStore();
  readonly broken: string[] = [];
  readonly scanId: string;
  slot: World["slot"] = "granted";
  /** False while no canary is known to be reachable. */
  hasCanary = true;
  target: TargetResponse = { ok: true, pins };
  recorded: DeliveredOutcome[] = [];
  readonly #scan: ReturnType<typeof scanResource>;
  readonly #chargedBefore: number;
  /** Attempts whose policy was not all the time, while their pod ran, the one that their Job was started with. */
  readonly #isolationLost = new Set<number>();
  /** Attempts to whose policies somebody did something. */
  readonly #tampered = new Set<number>();
  /** The attempt whose report was read last. */
  #read = 0;
  #reconcile: ReturnType<typeof reconciler>;
  #rules: string[] = [];
  /** Actions until the controller ends. */
  #patience = Infinity;

  constructor(row: FirstRow, namespace = settings.namespace) {
    const { metadata, spec, ...scan } = scanResource(undefined, namespace);
    const isByApi = row !== "byHand";
    const labels = { [LABELS.managedBy]: API_NAME };
    const isIts = row === "byApi" || row === "unnoted";
    this.#scan = {
      ...scan,
      metadata: { ...metadata, name: SCAN_ID, ...(isByApi && { labels }) },
      spec: { ...spec, ...(isIts && { identitiesSecretRef: { name: identitiesSecretName(SCAN_ID) } }) },
    };
    this.scanId = scanIdOf(this.#scan);
    this.#chargedBefore = Number(isByApi);
    if (isByApi) this.store.rows.set(this.scanId, firstRow(row, metadata.uid));
    this.kubernetes = new SimulatedKubernetes(this.#scan);
    this.#reconcile = reconciler(this.#deps());
  }

  get row(): ScanRow | undefined {
    return this.store.rows.get(this.scanId);
  }

  get charged(): number {
    return this.#chargedBefore + this.store.adopted.length;
  }

  get refunded(): number {
    return this.recorded.filter((one) => one.status === "failed" && isRefunded(one.failure.code)).length;
  }

  get isFinished(): boolean {
    const { exists, status } = this.kubernetes.scan.live;
    return !exists || status?.finishedAt !== undefined;
  }

  get leftovers(): number {
    const { jobs, policies, secrets } = this.kubernetes;
    return [...jobs.values(), ...policies.values()].filter(({ live }) => live).length + secrets.size;
  }

  /** The rules that decided, in one reconciliation that may end after this many actions. */
  async reconcile(patience = Infinity): Promise<readonly string[]> {
    [this.#patience, this.#rules] = [patience, []];
    try {
      await this.#reconcile("the scan");
    } catch (error) {
      // What the API server refuses is tried again, as all that fails.
      if (!(error instanceof Interrupted || error instanceof KubeError)) throw error;
    }
    return this.#rules;
  }

  /** Another controller takes over: it sees everything, and remembers nothing. */
  takeOver(): void {
    this.#reconcile = reconciler(this.#deps());
    this.kubernetes.seeAll();
  }

  /** By way of the row, once it is the Scan's. */
  cancel(): void {
    const { row } = this;
    if (row?.status !== "processing" || row.resourceUid !== this.#scan.metadata.uid) return;
    this.store.rows.set(this.scanId, { ...row, status: "failed", failure: scanFailure("cancelled") });
  }

  /** Somebody does something to the policies of attempts whose Job has not ended, and to those that wait for one. */
  tamper(how: keyof typeof TAMPERINGS): void {
    const { policies, jobs } = this.kubernetes;
    for (const [attempt, view] of policies) {
      const job = jobs.get(attempt)?.live;
      if (job ? job.ended : !view.live) continue;
      this.#tampered.add(attempt);
      if (job) this.#isolationLost.add(attempt);
      const last = view.history.findLast((policy) => policy !== undefined)!;
      view.live = TAMPERINGS[how]!(view.live, last, this.kubernetes.newUid());
    }
  }

  #deps(): ReconcileDeps {
    const { kubernetes, store } = this;
    const { api, scans, caches } = kubernetes;
    const now = () => kubernetes.now;
    const namespaceFacts = async () => ({
      ...{ uid: "installation", labels: {}, account: "shop", targets: undefined },
      accounts: new Set(["shop"]),
      identities: new Set<string>(),
    });
    return {
      // Again and again, once it was deleted: what is seen too late is looked at by Orphans elsewhere.
      find: () => kubernetes.cachedScan,
      forget: () => undefined,
      assertPoliciesRead: async () => undefined,
      observing: {
        caches,
        settings,
        namespaceFacts,
        slots: { slotOf: () => this.slot },
        canary: () => (this.hasCanary ? this.#canaryOf(kubernetes.jobs.size) : undefined),
        followedAttempt: () => undefined,
        findRow: (id) => store.work.find(id),
        clock: { now, monotonic: () => kubernetes.now.getTime() - START.getTime() },
      },
      queryDeps: {
        api,
        now,
        resolveTarget: async () => this.target,
        readReport: async (attempt) => this.#readReport(attempt),
        attestCanary: async ({ instance }) => this.#attest(instance),
        latestWarning: async () => ({ reason: "FailedCreate", note: "exceeded quota: pods" }),
      },
      performing: {
        api: { ...api, jobs: { ...api.jobs, create: (...job) => this.#createJob(job) } },
        now,
        namespaceFacts,
        scans: { ...scans, patchStatus: (...patch) => this.#patchStatus(patch) },
        store: { ...store, work: { record: (_, outcome) => this.#record(outcome) } },
        fence: { assertHeld: () => undefined },
        pod: { image: "scanner:1", resources: { cpu: "1", memory: "1Gi", ephemeralStorage: "1Gi" } },
        limitRecordings: (task) => task(),
        readWrites: async () => [],
        followProgress: () => undefined,
      },
      observer: {
        decided: ({ rule, actions }) => {
          this.#rules.push(rule);
          if (actions.length > 0 && this.#patience <= 0) throw new Interrupted();
        },
        performed: (action) => {
          this.#holdInvariants(nameOfAction(action));
          if (--this.#patience <= 0) throw new Interrupted();
        },
      },
    };
  }

  /** Each Job is made beside its own canary. */
  #canaryOf(jobs: number) {
    return { ...canary, instance: `canary-${jobs}` };
  }

  #attest(instance: string) {
    const job = [...this.kubernetes.jobs.values()].find(({ live }) => live && isBeside(live, instance));
    return job?.live?.hasLostCanary
      ? ({ alive: false, detail: "The canary no longer responds." } as const)
      : ({ alive: true } as const);
  }

  #readReport(attempt: number): ReportResponse {
    this.#read = attempt;
    const log = this.kubernetes.jobs.get(attempt)?.live?.log ?? "cut";
    if (log === "cut") return { attempt, how: "lost", detail: "Its log was cut." };
    const cause = log === "refused" ? "CanaryRefused" : "CanaryReachable";
    const outcome: DeliveredOutcome =
      log === "report"
        ? { status: "completed", report }
        : { status: "failed", failure: isolationFailure(cause) };
    return { attempt, how: "delivered", outcome };
  }

  async #createJob([namespace, job]: [namespace: string, job: CreatedJob]) {
    const attempt = attemptIn(job.metadata!.name!);
    const policy = this.kubernetes.policies.get(attempt)?.live;
    if (!policy && !this.#tampered.has(attempt)) this.broken.push("a Job without its policy");
    if (secretsOf(job).some((name) => !this.kubernetes.secrets.has(name)))
      this.broken.push("a Job without its identities");
    const isNew = !this.kubernetes.jobs.get(attempt)?.live;
    await this.kubernetes.api.jobs.create(namespace, job);
    const { uid, generation } = policy?.metadata ?? {};
    const isIsolated =
      job.metadata!.annotations![ANNOTATIONS.policy] === `${uid}/${generation}` &&
      hasSpecFor({ scanId: this.scanId, attempt, pins }, policy!);
    if (isNew && !isIsolated) this.#isolationLost.add(attempt);
  }

  async #record(outcome: DeliveredOutcome): Promise<boolean> {
    if (this.row && this.row.resourceUid !== this.#scan.metadata.uid) this.broken.push("recorded of another");
    if (!(await this.store.work.record(this.scanId, outcome))) return false;
    this.recorded.push(outcome);
    if (outcome.status === "failed") return true;
    const { jobs, conflicting } = this.kubernetes;
    if (this.#isolationLost.has(this.#read))
      this.broken.push("a report of a pod without its isolation was taken");
    if (conflicting.length > 0) this.broken.push("a report was taken beside a policy that opens more");
    if (jobs.get(this.#read)?.live?.hasLostCanary) this.broken.push("a proof beside a lost canary was taken");
    return true;
  }

  async #patchStatus([name, status, version]: Parameters<SimulatedKubernetes["scans"]["patchStatus"]>) {
    const { status: before } = this.kubernetes.scan.live;
    const scan = await this.kubernetes.scans.patchStatus(name, status, version);
    if ("finishedAt" in status && this.kubernetes.secrets.size > 0)
      this.broken.push("identities outlived the scan");
    if (before?.finishedAt) this.broken.push("a finished scan was rewritten");
    if ((before?.attempt ?? 1) > (scan.status?.attempt ?? 1)) this.broken.push("the attempt went back");
    return scan;
  }

  #holdInvariants(action: string): void {
    const running = [...this.kubernetes.jobs.values()].filter(({ live }) => live && !live.ended).length;
    if (running > 1) this.broken.push(`${running} live Jobs after ${action}`);
    if (this.recorded.length > 1) this.broken.push("recorded twice");
    if (this.refunded > 1) this.broken.push("refunded twice");
    if (this.charged > 1) this.broken.push("charged twice");
  }
}

const secretsOf = ({ spec }: CreatedJob): string[] =>
  (spec?.template.spec?.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []);

const isBeside = ({ manifest }: SimulatedJob, instance: string): boolean =>
  manifest.metadata!.annotations![ANNOTATIONS.canary]!.includes(JSON.stringify(instance));

function firstRow(row: FirstRow, uid: string): ScanRow {
  return {
    ...processingRow(SCAN_ID),
    resourceUid: row === "byApi" ? uid : row === "ofAnother" ? "another" : null,
    url: row === "forSomethingElse" ? "https://victim.example/" : "https://api.shop.example/v1",
    specUrl: "https://docs.shop.example/openapi.json",
  };
}
