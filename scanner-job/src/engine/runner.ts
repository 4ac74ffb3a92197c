import type { Category, Finding } from "@glovebox/contract";
import { NetworkError } from "../transport/network-error.ts";
import { inconclusive, type Check, type Subject, type Verdict, type TargetProfile } from "./check.ts";
import { evidenceOf } from "./evidence.ts";
import { calls, farthest, reachOf, type Reach } from "./reach.ts";
import { findingOf } from "./report.ts";
import type { RecordedProbe } from "./probe.ts";
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

export interface RunnerDeps {
  readonly profile: TargetProfile;
  readonly checks: readonly Check[];
  readonly probe: (pass: 1 | 2) => RecordedProbe;
  readonly supervisor: Supervisor;
  readonly onProgress: (category: Category, done: number, planned: number) => void;
  /** Told of faults in a check; the scan goes on. */
  readonly onFault: (check: Check, error: unknown) => void;
}

/** What is said of every subject whose examination that spoils. */
export const INTERRUPTIONS: Record<Loss, string> = {
  blocking: "The target began to block or throttle the scan.",
  unresponsive: "The target stopped answering during the scan.",
};

/**
 * Every check on every subject it concerns. Passive ones come first, so that an attack that ends the target does not spoil what
 * was only to be read; those that burst come last and one at a time.
 */
export async function runChecks(deps: RunnerDeps): Promise<Result[]> {
  const tasks = deps.checks.flatMap((check) =>
    check.subjects(deps.profile).map((subject) => ({ check, subject })),
  );
  const report = progressOf(tasks, deps.onProgress);
  const inPhase = (phase: Phase): Task[] => tasks.filter(({ check }) => phaseOf(check) === phase);

  const results: Result[] = [];
  for (const phase of ["passive", "active"] as const) {
    const done = await deps.supervisor.run<Task, Result>(inPhase(phase), {
      do: (task) => settle(task, deps),
      lost: interrupted,
      onDone: ({ check }) => report(check.category),
    });
    results.push(...done);
  }
  for (const task of inPhase("burst")) {
    const { loss } = deps.supervisor;
    results.push(loss ? interrupted(task, loss) : await settle(task, deps));
    report(task.check.category);
  }
  return results;
}

type Task = Pick<Result, "check" | "subject">;
type Phase = "passive" | "active" | "burst";

const phaseOf = ({ last, passive }: Check): Phase => (last ? "burst" : passive ? "passive" : "active");

const interrupted = (task: Task, loss: Loss): Result => ({
  ...task,
  verdict: inconclusive(INTERRUPTIONS[loss]),
  reach: "untried",
});

/** Examines once; what fails is examined again with fresh requests, and counts only when it fails again. */
async function settle(task: Task, deps: RunnerDeps): Promise<Result> {
  const first = deps.probe(1);
  const verdict = await examine(task, first, deps);
  const reach = reachIn(task, first, deps);
  if (verdict.outcome !== "fail") return { ...task, verdict, reach };

  const second = deps.probe(2);
  const again = await examine(task, second, deps);
  if (again.outcome !== "fail") {
    const reason = again.outcome === "inconclusive" ? again.reason : "Seen once, and not again.";
    return { ...task, verdict: inconclusive(reason), reach };
  }
  const evidence = evidenceOf(task.check.rule, first.exchanges, second.exchanges);
  return { ...task, verdict, reach, finding: findingOf({ ...task, verdict, evidence }, deps.profile) };
}

function reachIn({ subject: { operation } }: Task, { exchanges }: RecordedProbe, deps: RunnerDeps): Reach {
  if (!operation) return "untried";
  const own = exchanges.filter(({ request }) => calls(request, operation));
  return farthest(own.map(({ reply }) => reachOf(reply, operation, deps.profile.calibration)));
}

async function examine(
  { check, subject }: Task,
  { probe, exchanges }: RecordedProbe,
  deps: RunnerDeps,
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

function progressOf(
  tasks: readonly Task[],
  onProgress: RunnerDeps["onProgress"],
): (category: Category) => void {
  const planned = Map.groupBy(tasks, ({ check }) => check.category);
  const done = new Map<Category, number>();
  for (const [category, { length }] of planned) onProgress(category, 0, length);
  return (category) => {
    const now = (done.get(category) ?? 0) + 1;
    const { length } = planned.get(category)!;
    done.set(category, now);
    if (isNews(now, length)) onProgress(category, now, length);
  };
}

/** How often a category's progress is told, however many operations there are: it goes the same way as the report. */
const STEPS = 10;

const isNews = (done: number, planned: number): boolean =>
  Math.floor((STEPS * done) / planned) > Math.floor((STEPS * (done - 1)) / planned);
