import type { Operation } from "../inventory/operation.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { networkError } from "../transport/network-error.ts";
import { readAsCallers, type AccessByCaller } from "./caller-access.ts";
import { isExamining, type Check, type Subject, type Verdict } from "./check.ts";
import type { Detected } from "./detected.ts";
import { examineTask, memories, type ExaminerDeps } from "./examination.ts";
import { Knowledge } from "./knowledge.ts";
import { believable } from "./catch-all-host.ts";
import { Observer } from "./observer.ts";
import { progressReporter } from "./progress.ts";
import { calls, type Reach } from "./reach.ts";
import { readOperations, type Read } from "./read-operations.ts";
import { leftOut } from "./left-out.ts";
import type { Recorded, RecorderDeps } from "./probe.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { Schedule } from "./schedule.ts";
import type { Task } from "./task.ts";
import type { Loss } from "./supervisor.ts";

/** The result of one check on one subject. */
export interface Result {
  readonly check: Check;
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** How far the check's requests to the subject's operation got. */
  readonly reach: Reach;
  /** The caller of these requests. Default: `ANONYMOUS`. */
  readonly caller?: string;
  /** Set where the verdict is a failure that the second examination confirmed. */
  readonly finding?: Detected;
  /** The last request that had no response, of an examination that found nothing. */
  readonly lostRequest?: { readonly request: ProbeRequest; readonly responses: number };
}

/** The results of the checks, and what the plain read of each operation showed. */
export interface Run {
  readonly results: readonly Result[];
  readonly reads: ReadonlyMap<Operation, Read>;
  /** What each caller got from the plain read of each operation; of none in a scan without identities. */
  readonly access: ReadonlyMap<Operation, AccessByCaller>;
}

/** Fraction of requests and time reserved for bursts, which run last. */
const RESERVE = 0.1;
/** Fraction that reads as every caller may take before the checks run; the others follow in what the checks leave. */
const CALLERS_SHARE = 0.1;

/**
 * Reads every operation once, then examines subjects in the order of their value per request until none is left or the
 * budget is exhausted. Operations that are discovered during the run are also read and examined.
 */
export async function runChecks(deps: RunnerDeps): Promise<Run> {
  const { profile } = deps;
  const runner = new Runner(deps);
  for (const response of [profile.entry, ...profile.calibration.missing]) runner.see(response, profile.host);
  for (let planned = -1; profile.operations.length > planned;) {
    planned = profile.operations.length;
    await runner.readNew();
    await runner.readAsCallers(CALLERS_SHARE);
    runner.plan();
    await runner.work();
  }
  await runner.readAsCallers(1);
  await runner.confirmCrashes(); // bursts may get the scan throttled
  await runner.burst();
  await runner.confirmCrashes();
  return runner.finish();
}

class Runner {
  readonly #deps: RunnerDeps;
  readonly #examiner: ExaminerDeps;
  readonly #knowledge = new Knowledge();
  readonly #schedule: Schedule;
  readonly #observer: Observer;
  readonly #progress: ReturnType<typeof progressReporter>;
  /** Responses that several checks share are counted and observed once. */
  readonly #seen = new WeakSet<ProbeResponse>();
  #isBurst = false;

  constructor(deps: RunnerDeps) {
    const onResponse: RecorderDeps["onResponse"] = (...seen) => this.see(...seen);
    this.#deps = deps;
    const onInterpreted = ({ location }: Subject): void => this.#knowledge.interpret(location);
    const accessTo: RecorderDeps["accessTo"] = (operation) => this.#knowledge.accessTo(operation);
    this.#examiner = {
      ...deps,
      memoryOf: memories(),
      probe: (pass, subject, caller) =>
        deps.probe({
          ...{ pass, subject, caller, onResponse, onInterpreted, accessTo },
          admit: () => this.#admit(pass, subject),
        }),
    };
    const { profile, maxPerOperation, isPaused } = deps;
    this.#schedule = new Schedule(this.#knowledge, { context: profile.context, maxPerOperation, isPaused });
    this.#observer = new Observer(deps.checks, deps.profile);
    this.#progress = progressReporter(deps.onProgress);
  }

  see(response: ProbeResponse, subject: Subject, role: Recorded["role"] = "baseline"): void {
    if (this.#seen.has(response)) return;
    this.#seen.add(response);
    const { operation } = subject;
    this.#knowledge.wait(operation, response.elapsedMs);
    if (operation && calls(response.request, operation)) this.#knowledge.hear(operation, response);
    this.#observer.see(response, subject, role);
  }

  /**
   * Counts a request for the operation of a subject, unless it confirms what was found. @throws NetworkError where no more may be
   * sent for it
   */
  #admit(pass: 1 | 2, { operation }: Subject): void {
    if (!operation || pass === 2 || this.#isBurst) return;
    if (this.#knowledge.spentOn(operation) >= this.#deps.maxPerOperation)
      throw networkError("operation_budget");
    this.#knowledge.spend(operation);
  }

  /** Reads the operations that were found since the last time. */
  async readNew(): Promise<void> {
    const { profile, supervisor } = this.#deps;
    const { reads } = this.#knowledge;
    const unread = profile.operations.filter(
      (operation) => operation.isRead && !reads.has(operation) && this.#deps.isRead(operation),
    );
    const read = await readOperations(unread, {
      supervisor,
      calibration: profile.calibration,
      baselineCaller: profile.baselineCaller,
      newProbe: (operation) => this.#examiner.probe(1, operation),
    });
    for (const [operation, shown] of read) {
      reads.set(operation, shown);
      this.#knowledge.spend(operation); // the request by which it was found out how to call it
    }
  }

  /** Reads operations as every caller, as far as this fraction of the budget allows. */
  async readAsCallers(share: number): Promise<void> {
    const { profile, supervisor, budget } = this.#deps;
    const { reads, access } = this.#knowledge;
    if (profile.callers.length === 0) return;
    const remaining = (): number => Math.min(budget().requests, budget().time);
    const least = remaining() - share;
    const unread = [...reads.keys()].filter((operation) => !access.has(operation));
    await readAsCallers(unread, {
      ...{ profile, supervisor },
      newProbe: (operation) => this.#examiner.probe(1, operation),
      hasBudget: () => this.#hasBudget() && remaining() > least,
      onRead: (operation, ofCallers) => access.set(operation, ofCallers),
    });
  }

  /** Adds the subjects that are new to the schedule. */
  plan(): void {
    const { checks, profile } = this.#deps;
    this.#add(
      checks.flatMap((check) =>
        isExamining(check) ? check.subjects(profile).map((subject) => ({ check, subject })) : [],
      ),
    );
    this.#add(this.#observer.takeSuspicions());
  }

  async work(): Promise<void> {
    await this.#examineAll(() => (this.#hasBudget() ? this.#schedule.take() : undefined));
    // Responses that other checks have brought may decide what may send nothing more.
    await this.#examineAll(() => (this.#hasBudget() ? this.#schedule.takeOverLimit() : undefined));
  }

  async burst(): Promise<void> {
    this.#isBurst = true;
    const bursts = [...this.#schedule.takeBursts()];
    const take = () => (this.#deps.crashes.areTooMany() ? undefined : bursts.shift());
    await this.#examineAll(take, { alone: true });
    this.#leaveOut(bursts, this.#deps.supervisor.loss);
  }

  async confirmCrashes(): Promise<void> {
    const results = await this.#deps.crashes.confirm();
    if (results.length > 0) this.#settle(results);
  }

  async #examineAll(take: () => Task | undefined, how: { alone?: true } = {}): Promise<void> {
    const { supervisor } = this.#deps;
    const lost = await supervisor.run<Task, Result | undefined>({
      ...how,
      take,
      do: (task) => examineTask(task, this.#examiner).finally(() => this.#schedule.ended(task)),
      settled: (done) => {
        for (const { item, result } of done) if (!result && !item.suspicion) this.#schedule.postpone(item);
        this.#settle(done.flatMap(({ result }) => result ?? []));
      },
      isInvalidated: (result) => result?.lostRequest !== undefined,
      repeats: ({ subject }, result) =>
        this.#knowledge.refund(subject.operation, 1 + (result?.lostRequest?.responses ?? 0)),
    });
    this.#leaveOut(lost, supervisor.loss);
  }

  finish(): Run {
    const { overLimit, unaffordable } = this.#schedule.takeRest();
    this.#settle(overLimit.map((task) => leftOut(task, "operation_limit")));
    this.#leaveOut(unaffordable, this.#deps.supervisor.loss);
    const { results, reads, access, failedLocations } = this.#knowledge;
    return { results: [...believable(results), ...this.#observer.passes(failedLocations)], reads, access };
  }

  #add(tasks: readonly Task[]): void {
    this.#progress.planned(this.#schedule.add(tasks));
  }

  #settle(results: readonly Result[]): void {
    for (const result of results) {
      this.#knowledge.learn(result);
      this.#progress.done(result.check.category);
    }
    this.#add(this.#observer.takeSuspicions());
    this.#schedule.reorder();
  }

  #leaveOut(tasks: readonly Task[], loss: Loss | undefined): void {
    const { requests, time } = this.#deps.budget();
    const usedUp = requests <= time ? "requests" : "time";
    const cause = loss ?? (this.#deps.crashes.areTooMany() ? "crashes" : usedUp);
    this.#settle(tasks.map((task) => leftOut(task, cause)));
  }

  #hasBudget(): boolean {
    if (this.#deps.crashes.areTooMany()) return false;
    const { requests, time } = this.#deps.budget();
    return Math.min(requests, time) > (this.#schedule.hasBursts ? RESERVE : 0);
  }
}
