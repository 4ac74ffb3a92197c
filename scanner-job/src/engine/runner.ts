import type { Category, Finding } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import type { Reply } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import { inconclusive, type Check, type Subject, type Verdict, type TargetProfile } from "./check.ts";
import { evidenceOf } from "./evidence.ts";
import { observe, Observer, placeKey, type Suspicion } from "./observer.ts";
import { progressReporter } from "./progress.ts";
import { calls, farthest, reachOf, type Reach } from "./reach.ts";
import { readOperations } from "./read-operations.ts";
import { findingOf } from "./report.ts";
import type { RecordedProbe } from "./probe.ts";
import { Schedule, type Learned, type Phase, type Task } from "./schedule.ts";
import type { Loss, Supervisor } from "./supervisor.ts";

/** What became of one check on one subject. */
export interface Result {
  readonly check: Check;
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** How far the check's requests to the subject's operation got. */
  readonly reach: Reach;
  /** Where the verdict is a failure that was seen twice. */
  readonly finding?: Finding;
}

/** What became of the checks, and how far the plain read of each operation got. */
export interface Run {
  readonly results: readonly Result[];
  readonly reads: ReadonlyMap<Operation, Reach>;
}

export interface RunnerDeps {
  readonly profile: TargetProfile;
  readonly checks: readonly Check[];
  /** A probe for one look at the subject; `onReply` is told of every answer. */
  readonly probe: (look: {
    pass: 1 | 2;
    subject: Subject;
    onReply: (reply: Reply, subject: Subject) => void;
  }) => RecordedProbe;
  readonly supervisor: Supervisor;
  /** What is left of the scan's requests and of its time, as shares of what it began with. */
  readonly budget: () => { readonly requests: number; readonly time: number };
  readonly onProgress: (category: Category, done: number, planned: number) => void;
  /** Told of faults in a check; the scan goes on. */
  readonly onFault: (check: Check, error: unknown) => void;
}

/** What is said of every subject whose examination that spoils. */
export const INTERRUPTIONS: Record<Loss, string> = {
  blocking: "The target began to block or throttle the scan.",
  unresponsive: "The target stopped answering during the scan.",
};
/** What is said of every subject that was left out. */
const UNAFFORDABLE = "Left out: requests or time of the scan were used up by more valuable tests.";
const OVER_LIMIT = "Left out: the operation had been sent as many requests as one may be.";

/** Shares of requests and time that are kept for bursts, which run last. */
const RESERVE = 0.1;

/**
 * Reads every operation once, then examines subjects in the order of their value per request until nothing is left or the
 * budget is used up. Operations that are found on the way are read and examined too.
 */
export async function runChecks(deps: RunnerDeps): Promise<Run> {
  const { profile, checks, supervisor } = deps;
  const knowledge = new Knowledge();
  const schedule = new Schedule(knowledge, profile.context);
  const observer = new Observer(checks, profile);
  const progress = progressReporter(deps.onProgress);
  const counted = new WeakSet<Reply>();
  const onReply = (reply: Reply, subject: Subject): void => {
    if (counted.has(reply)) return; // several checks share it
    counted.add(reply);
    knowledge.spend(subject.operation);
    observer.see(reply, subject);
  };
  const probe = (pass: 1 | 2, subject: Subject): RecordedProbe => deps.probe({ pass, subject, onReply });

  for (const reply of [profile.entry, ...profile.calibration.missing]) onReply(reply, profile.host);

  const plan = (): void => {
    const tasks = checks.flatMap((check) => check.subjects(profile).map((subject) => ({ check, subject })));
    progress.planned(schedule.add(tasks));
  };
  const settle = (results: readonly Result[]): void => {
    for (const result of results) {
      knowledge.learn(result);
      progress.done(result.check.category);
    }
    progress.planned(schedule.add(observer.takeSuspicions()));
    schedule.reorder();
  };
  const hasBudget = (): boolean => {
    const { requests, time } = deps.budget();
    return Math.min(requests, time) > (schedule.hasBursts ? RESERVE : 0);
  };

  const work = async (phase: Exclude<Phase, "burst">): Promise<void> => {
    const lost = await supervisor.run<Task, Result>({
      take: () => (hasBudget() ? schedule.take(phase) : undefined),
      do: (task) => examineTwice(task, { ...deps, probe }),
      settled: (done) => settle(done.map(({ result }) => result)),
    });
    settle(lost.map((task) => leftOut(task, INTERRUPTIONS[supervisor.loss!])));
  };
  const readNew = async (): Promise<void> => {
    const unread = profile.operations.filter(
      (operation) => operation.isRead && !knowledge.reads.has(operation),
    );
    const reaches = await readOperations(unread, {
      supervisor,
      calibration: profile.calibration,
      newProbe: (operation) => probe(1, operation),
    });
    for (const [operation, reach] of reaches) knowledge.reads.set(operation, reach);
  };

  for (const phase of ["passive", "active"] as const) {
    let planned = -1;
    // What was found on the way is read and planned for, until nothing more is found.
    while (profile.operations.length > planned) {
      planned = profile.operations.length;
      await readNew();
      plan();
      await work(phase);
    }
  }
  for (const task of schedule.takeBursts()) {
    const { loss } = supervisor;
    settle([loss ? leftOut(task, INTERRUPTIONS[loss]) : await examineTwice(task, { ...deps, probe })]);
  }
  const { overLimit, unaffordable } = schedule.takeRest();
  const reason = supervisor.loss ? INTERRUPTIONS[supervisor.loss] : UNAFFORDABLE;
  settle([
    ...overLimit.map((task) => leftOut(task, OVER_LIMIT)),
    ...unaffordable.map((task) => leftOut(task, reason)),
  ]);
  return {
    results: [...knowledge.results, ...observer.passes(knowledge.failedPlaces)],
    reads: knowledge.reads,
  };
}

/** What the results so far have shown. */
class Knowledge implements Learned {
  readonly results: Result[] = [];
  readonly reads = new Map<Operation, Reach>();
  readonly failedPlaces = new Set<string>();
  readonly #reaches = new Map<Operation, Reach>();
  readonly #decided = new Set<string>();
  readonly #records = new Map<Check, { examined: number; reported: number }>();
  readonly #spent = new Map<Operation, number>();

  learn(result: Result): void {
    const { check, subject, verdict, reach, finding } = result;
    const { operation } = subject;
    this.results.push(result);
    if (finding) this.failedPlaces.add(placeKey(check, subject));
    if (operation) this.#reaches.set(operation, farthest([this.reachOf(operation), reach]));
    if (finding || verdict.outcome === "pass") this.#decided.add(pairKey(check.category, operation));
    const record = this.recordOf(check);
    this.#records.set(check, {
      examined: record.examined + 1,
      reported: record.reported + (finding ? 1 : 0),
    });
  }

  /** One request more was sent for the operation. */
  spend(operation: Operation | undefined): void {
    if (operation) this.#spent.set(operation, this.spentOn(operation) + 1);
  }

  reachOf(operation: Operation): Reach {
    return farthest([this.reads.get(operation) ?? "untried", this.#reaches.get(operation) ?? "untried"]);
  }

  isDecided(category: Category, operation: Operation | undefined): boolean {
    return this.#decided.has(pairKey(category, operation));
  }

  recordOf(check: Check): { examined: number; reported: number } {
    return this.#records.get(check) ?? { examined: 0, reported: 0 };
  }

  spentOn(operation: Operation): number {
    return this.#spent.get(operation) ?? 0;
  }
}

const pairKey = (category: Category, operation: Operation | undefined): string =>
  `${category} ${operation ? `${operation.location.method} ${operation.location.path}` : ""}`;

type ExaminerDeps = Pick<RunnerDeps, "profile" | "onFault"> & {
  readonly probe: (pass: 1 | 2, subject: Subject) => RecordedProbe;
};

const leftOut = ({ check, subject }: Task, reason: string): Result => ({
  check,
  subject,
  verdict: inconclusive(reason),
  reach: "untried",
});

/** Examines once; what fails is examined again with fresh requests, and counts only when it fails again. */
async function examineTwice(task: Task, deps: ExaminerDeps): Promise<Result> {
  const { check, subject, suspicion } = task;
  const first = suspicion ? undefined : deps.probe(1, subject);
  const verdict = suspicion ? verdictOf(suspicion) : await examine(task, first!, deps);
  const reach = reachIn(task, first, deps);
  if (verdict.outcome !== "fail") return { check, subject, verdict, reach };

  const second = deps.probe(2, subject);
  const again = suspicion
    ? await confirm(task, suspicion, { ...deps, second })
    : await examine(task, second, deps);
  if (again.outcome !== "fail") {
    const reason = again.outcome === "inconclusive" ? again.reason : "Seen once, and not again.";
    return { check, subject, verdict: inconclusive(reason), reach };
  }
  const seen = suspicion
    ? [{ role: "baseline" as const, request: suspicion.reply.request, reply: suspicion.reply }]
    : first!.exchanges;
  const evidence = evidenceOf(check.rule, seen, second.exchanges);
  const finding = findingOf({ check, subject, verdict, evidence }, deps.profile);
  return { check, subject, verdict, reach, finding };
}

const verdictOf = ({ observation: { observed, values: _, ...instead } }: Suspicion): Verdict => ({
  outcome: "fail",
  observed,
  instead,
});

/** Sends the request of the answer anew, and observes its answer. */
async function confirm(
  { check, subject }: Task,
  { reply }: Suspicion,
  { second, profile }: ExaminerDeps & { readonly second: RecordedProbe },
): Promise<Verdict> {
  try {
    const again = await second.probe.baseline(reply.request);
    const observation = observe(check, again, subject, profile);
    return observation ? verdictOf({ reply: again, observation }) : { outcome: "pass" };
  } catch (error) {
    if (error instanceof NetworkError) return inconclusive(`${error.message}.`);
    throw error;
  }
}

function reachIn(
  { subject: { operation } }: Task,
  look: RecordedProbe | undefined,
  deps: ExaminerDeps,
): Reach {
  if (!operation || !look) return "untried";
  const own = look.exchanges.filter(({ request }) => calls(request, operation));
  return farthest(own.map(({ reply }) => reachOf(reply, operation, deps.profile.calibration)));
}

async function examine(
  { check, subject }: Task,
  { probe, exchanges }: RecordedProbe,
  deps: ExaminerDeps,
): Promise<Verdict> {
  try {
    const verdict = await check.examine(subject, probe);
    if (verdict.outcome === "fail" && !check.passive && !exchanges.some(({ role }) => role === "control")) {
      throw new Error(`${check.id} found something without a control`);
    }
    return verdict;
  } catch (error) {
    if (error instanceof NetworkError) return inconclusive(`${error.message}.`);
    deps.onFault(check, error);
    return inconclusive("The check itself is at fault.");
  }
}
