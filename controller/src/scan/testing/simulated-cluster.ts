import { isGivenBack, isolationFailure, scanFailure, type DeliveredOutcome } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import { isQuestion, type Action } from "../action.ts";
import { decide } from "../decide.ts";
import type { PolicyObject } from "../foreign-policies.ts";
import type { Answers, JobView, PodView, PolicyView, Row, TargetAnswer, World } from "../world.ts";
import { create, LaggingView } from "./lagging-view.ts";
import {
  SCAN_ID,
  START,
  canary,
  pins,
  withPod,
  policySeen,
  processing,
  report,
  scanResource,
  settings,
} from "./worlds.ts";

export interface LiveJob extends JobView {
  readonly pods: readonly PodView[];
  /** What its log will be found to hold. */
  readonly log: "report" | "failure" | "refused" | "cut";
  /** Its canary has died since it was made. */
  readonly hasLostCanary?: boolean;
  /** Deleted, and there until its pod has ended. */
  readonly isGoing?: boolean;
}

interface Stored {
  readonly status: ScanStatus | undefined;
  readonly exists: boolean;
}

class Interrupted extends Error {}

/** What others may do to the policies of a scan. */
export const TAMPERINGS: Readonly<
  Record<string, (policy: PolicyView | undefined) => PolicyView | undefined>
> = {
  remove: () => undefined,
  change: (policy) => policy && { ...policy, version: `${policy.version}+`, isAsMade: false },
  changeAndRestore: (policy) => policy && { ...policy, version: `${policy.version}++`, isAsMade: true },
  makeAgain: (policy) => ({ ...policySeen, version: `of-others-${policy?.version ?? ""}/1` }),
};

/** One Scan with its API server, its store, a cache that lags behind, and a controller that may stop at any action. */
export class SimulatedCluster {
  readonly scan = new LaggingView<Stored>({ status: undefined, exists: true });
  readonly jobs = new Map<number, LaggingView<LiveJob | undefined>>();
  readonly policies = new Map<number, LaggingView<PolicyView | undefined>>();
  readonly broken: string[] = [];
  now = START;
  row: Row;
  slot: World["slot"] = "granted";
  /** False while nothing holds the deadlines of Jobs: a controller manager that is down. */
  holdsDeadlines = true;
  /** True while the API server takes no Job: a quota that is used up. */
  refusesJobs = false;
  /** False while Kubernetes creates no pods: a quota, or a Job controller that is behind. */
  createsPods = true;
  /** False while no canary is known to be reachable. */
  hasCanary = true;
  /** What the controller remembers. */
  #refusal: World["refusal"];
  #madeAttempt: World["madeAttempt"];
  #explanation: World["explanation"];
  foreign: readonly PolicyObject[] = [];
  target: TargetAnswer = { ok: true, pins };
  adoption: Answers["adoption"];
  /** Whether an unbound row asks for what the Scan does. */
  isItsRow = true;
  charged = 0;
  recorded = 0;
  givenBack = 0;
  /** Attempts whose policy was not all the time, while their pod ran, the one that their Job was started with. */
  readonly #unsealed = new Set<number>();
  /** Attempts to whose policies somebody did something. */
  readonly #tampered = new Set<number>();
  #made = 0;
  /** The attempt whose report was read last. */
  #read = 0;
  /** The status was written in this reconciliation, which knows it whatever the cache shows. */
  #hasWritten = false;

  /** Of the Scan: of one that is in another namespace than its Job, nobody collects what it leaves. */
  readonly namespace: string;

  constructor(row: Row, namespace = settings.namespace) {
    [this.row, this.namespace] = [row, namespace];
    this.charged = row.state === "absent" ? 0 : 1;
  }

  /** Observes, decides and performs until a plan without a question is done, or `patience` actions were. */
  reconcile(patience = Infinity): readonly string[] {
    const rules: string[] = [];
    const budget = { left: patience };
    this.#hasWritten = false;
    try {
      for (let answers: Answers = {}; ;) {
        const plan = decide(this.#observe(answers));
        rules.push(plan.rule);
        if (rules.length > 20) throw new Error(`Asks for ever: ${rules.join(" ")}`);
        answers = this.#performAll(plan.actions, { ...answers, refusal: undefined }, budget);
        if (!isQuestion(plan) && !answers.refusal) return rules;
      }
    } catch (error) {
      if (error instanceof Interrupted) return rules;
      throw error;
    }
  }

  #performAll(actions: readonly Action[], answers: Answers, budget: { left: number }): Answers {
    let known = answers;
    for (const action of actions) {
      if (budget.left-- <= 0) throw new Interrupted();
      known = { ...known, ...this.#perform(action) };
      this.#holdInvariants(action);
      if (known.refusal) break;
    }
    return known;
  }

  /** The end of a Job is told more than a second after that of its pod: what befell policies before is known by then. */
  see(what: "scan" | "jobs" | "policies", versions: number): void {
    if (what === "scan") return this.scan.see(versions);
    for (const view of this[what].values()) view.see(versions);
    for (const [attempt, job] of this.jobs) if (job.cached?.ended) this.policies.get(attempt)?.see();
  }

  /** Another controller takes over: it sees everything, and remembers nothing. */
  takeOver(): void {
    this.#refusal = this.#madeAttempt = undefined;
    this.seeAll();
  }

  seeAll(): void {
    for (const view of [this.scan, ...this.jobs.values(), ...this.policies.values()]) view.see();
  }

  /** Something happens to the Job that is running, if one is. */
  changeJob(change: (job: LiveJob) => LiveJob | undefined): void {
    for (const view of this.jobs.values()) if (view.live && !view.live.ended) view.live = change(view.live);
  }

  /** Somebody does something to the policies of attempts whose Job has not ended, and to those that wait for one. */
  tamper(how: keyof typeof TAMPERINGS): void {
    for (const [attempt, view] of this.policies) {
      const job = this.jobs.get(attempt)?.live;
      if (job ? job.ended : !view.live) continue;
      this.#tampered.add(attempt);
      if (job) this.#unsealed.add(attempt);
      view.live = TAMPERINGS[how]!(view.live);
    }
  }

  /** What Kubernetes does by itself: Jobs end at their deadline; what is deleted, or was owned by what is, goes. */
  tick(seconds: number, deadlineSeconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
    this.changeJob((job) =>
      this.holdsDeadlines && this.now.getTime() - job.createdAt.getTime() > deadlineSeconds * 1000
        ? { ...job, pods: [], ended: { how: "failed", reason: "DeadlineExceeded", message: "" } }
        : job,
    );
    this.changeJob((job) => (job.isGoing ? undefined : job));
    for (const [attempt, { live }] of this.createsPods ? this.jobs : [])
      if (live && !live.hadPod) this.changeJob((job) => ({ ...job, ...withPod(attempt, this.now) }));
    if (this.scan.live.exists || this.namespace !== settings.namespace) return;
    for (const view of [...this.jobs.values(), ...this.policies.values()])
      if (view.live) view.live = undefined;
  }

  cancel(): void {
    if (this.row.state === "processing") this.row = { state: "failed", failure: scanFailure("cancelled") };
  }

  get isFinished(): boolean {
    return !this.scan.live.exists || this.scan.live.status?.finishedAt !== undefined;
  }

  get leftovers(): number {
    return [...this.jobs.values(), ...this.policies.values()].filter(({ live }) => live).length;
  }

  #observe(answers: Answers): World {
    const { status, exists } = this.scan.cached;
    const numbers = [...new Set([...this.jobs.keys(), ...this.policies.keys()])].toSorted((a, b) => a - b);
    const attempts = numbers.map((number) => {
      const job = this.jobs.get(number)?.cached;
      return { number, job, policy: this.policies.get(number)?.cached, pods: job?.pods ?? [] };
    });
    this.#madeAttempt = attempts.findLast(({ job }) => job)?.number ?? this.#madeAttempt;
    return {
      now: this.now,
      settings,
      scan: answers.scan ?? scanResource(status, this.namespace),
      isDeleted: !exists,
      scanId: SCAN_ID,
      row: this.row,
      attempts: attempts.filter(({ job, policy }) => job || policy),
      policies: this.foreign,
      namespaceLabels: {},
      canary: this.hasCanary ? canary : undefined,
      slot: this.slot,
      madeAttempt: this.#madeAttempt,
      refusal: this.#refusal,
      explanation: this.#explanation,
      answers,
    };
  }

  // oxlint-disable-next-line complexity -- one case for each action
  #perform(action: Action): Answers {
    switch (action.do) {
      case "adopt":
        return this.#adopt();
      case "bind":
        if (!this.isItsRow) return { binding: "refused" };
        this.row = processing;
        return {};
      case "resolveTarget":
        return { target: this.target };
      case "confirmJob":
        return { liveJob: { attempt: action.attempt, exists: !!this.jobs.get(action.attempt)?.live } };
      case "explainWait":
        this.#explanation = { attempt: action.attempt, words: "exceeded quota: pods", at: this.now };
        return { explanation: this.#explanation };
      case "readReport":
        return { report: this.#readReport(action.attempt) };
      case "attestCanary":
        return { canary: this.#attest(action.attempt) };
      case "recordOutcome":
        return this.#record(action.outcome);
      case "createPolicy":
        create(this.policies, action.attempt, {
          ...policySeen,
          pins: action.pins,
          version: this.#newVersion(),
        });
        return {};
      case "createJob":
        return this.#createJob(action);
      case "deleteAttempt":
        return this.#delete(action.attempt);
      case "patchStatus":
        return this.#patch(action.status);
      case "deleteScan":
        this.scan.live = { ...this.scan.live, exists: false };
        return {};
      case "followProgress":
      case "requeueAfter":
        return {};
    }
  }

  /** No two policies have the same uid. */
  #newVersion(): string {
    return `policy-${++this.#made}/1`;
  }

  #createJob({ attempt, policy, canary: beside }: Extract<Action, { do: "createJob" }>): Answers {
    const seal = this.policies.get(attempt)?.live;
    if (!seal && !this.#tampered.has(attempt)) this.broken.push("a Job without its policy");
    if (this.refusesJobs) {
      this.#refusal = { what: "Job", message: "exceeded quota", at: this.now };
      return { refusal: this.#refusal };
    }
    if (seal?.version !== policy || !seal.isAsMade) this.#unsealed.add(attempt);
    this.#madeAttempt = attempt;
    const createdAt = this.now;
    const pods = this.createsPods ? withPod(attempt, createdAt) : { pods: [] };
    create(this.jobs, attempt, {
      uid: `job-${attempt}`,
      createdAt,
      policy,
      canary: beside,
      ...pods,
      log: "report",
    });
    return {};
  }

  #delete(attempt: number): Answers {
    const policy = this.policies.get(attempt);
    if (policy?.live) policy.live = undefined;
    const view = this.jobs.get(attempt);
    if (view?.live) view.live = view.live.ended ? undefined : { ...view.live, isGoing: true };
    return {};
  }

  #adopt(): Answers {
    if (this.adoption) return { adoption: this.adoption };
    this.charged++;
    this.row = processing;
    return {};
  }

  #readReport(attempt: number): NonNullable<Answers["report"]> {
    this.#read = attempt;
    const log = this.jobs.get(attempt)?.live?.log ?? "cut";
    if (log === "cut") return { attempt, how: "lost", detail: "Its log was cut." };
    const cause = log === "refused" ? "CanaryRefused" : "CanaryReachable";
    const outcome: DeliveredOutcome =
      log === "report"
        ? { status: "completed", report }
        : { status: "failed", failure: isolationFailure(cause) };
    return { attempt, how: "delivered", outcome };
  }

  #attest(attempt: number): NonNullable<Answers["canary"]> {
    const isLost = this.jobs.get(attempt)?.live?.hasLostCanary;
    return isLost
      ? { attempt, lives: false, detail: "It does not answer any more." }
      : { attempt, lives: true };
  }

  #record(outcome: DeliveredOutcome): Answers {
    if (this.row.state === "foreign" || this.row.state === "unbound") this.broken.push("recorded of another");
    if (this.row.state !== "processing") return {};
    this.recorded++;
    if (outcome.status === "failed") {
      this.givenBack += Number(isGivenBack(outcome.failure.code));
      this.row = { state: "failed", failure: outcome.failure };
    } else {
      if (this.#unsealed.has(this.#read)) this.broken.push("a report of a pod without its seal was taken");
      if (this.foreign.length > 0) this.broken.push("a report was taken beside a policy that opens more");
      if (this.jobs.get(this.#read)?.live?.hasLostCanary)
        this.broken.push("a proof beside a lost canary was taken");
      this.row = { state: "completed", score: 88, grade: "B", findings: 0 };
    }
    return {};
  }

  #patch(status: ScanStatus): Answers {
    // The resourceVersion of a stale view is refused, and so is a Scan that is gone.
    if ((!this.scan.isCurrent && !this.#hasWritten) || !this.scan.live.exists) throw new Interrupted();
    const before = this.scan.live.status;
    if (before?.finishedAt) this.broken.push("a finished scan was rewritten");
    if ((before?.attempt ?? 1) > (status.attempt ?? 1)) this.broken.push("the attempt went back");
    this.scan.live = { ...this.scan.live, status };
    this.#hasWritten = true;
    return { scan: scanResource(status, this.namespace) };
  }

  #holdInvariants({ do: did }: Action): void {
    const running = [...this.jobs.values()].filter(({ live }) => live && !live.ended).length;
    if (running > 1) this.broken.push(`${running} live Jobs after ${did}`);
    if (this.recorded > 1) this.broken.push("recorded twice");
    if (this.givenBack > 1) this.broken.push("given back twice");
    if (this.charged > 1) this.broken.push("charged twice");
  }
}
