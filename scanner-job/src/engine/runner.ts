import type { Category, Finding } from "@glovebox/contract";
import { NetworkError } from "../transport/network-error.ts";
import { inconclusive, type Check, type Subject, type Verdict, type TargetProfile } from "./check.ts";
import { evidenceOf } from "./evidence.ts";
import { inParallel } from "./in-parallel.ts";
import { calls, farthest, reachOf, type Reach } from "./reach.ts";
import { findingOf } from "./report.ts";
import type { RecordedProbe } from "./probe.ts";

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
  /** Whether the target still answers as it did when it was calibrated. */
  readonly health: () => Promise<TargetHealth>;
  readonly onProgress: (category: Category, done: number, planned: number) => void;
  /** Told of faults in a check; the scan goes on. */
  readonly onFault: (check: Check, error: unknown) => void;
}

/** Subjects examined between two looks at whether the target still answers as it did. */
const RECALIBRATE_EVERY = 80;

/** How the target bears the scan: as at its start, by blocking or throttling it, or by answering no more. */
export type TargetHealth = "healthy" | "blocking" | "unresponsive";

/** What is said of every subject whose examination that spoils. */
export const INTERRUPTIONS: Record<Exclude<TargetHealth, "healthy">, string> = {
  blocking: "The target began to block or throttle the scan.",
  unresponsive: "The target stopped answering during the scan.",
};

/** Every check on every subject it concerns; those that burst come last and one at a time. */
export async function runChecks(deps: RunnerDeps): Promise<Result[]> {
  const tasks = deps.checks.flatMap((check) =>
    check.subjects(deps.profile).map((subject) => ({ check, subject })),
  );
  const report = progressOf(tasks, deps.onProgress);
  const [bursts, ordinary] = [
    tasks.filter(({ check }) => check.last),
    tasks.filter(({ check }) => !check.last),
  ];

  const results: Result[] = [];
  let health = tasks.length === 0 ? "healthy" : await deps.health(); // profiling may have been too much already
  for (const batch of [...inBatches(ordinary, RECALIBRATE_EVERY), ...bursts.map((task) => [task])]) {
    const examined = health === "healthy" ? await inParallel(batch, (task) => settle(task, deps)) : [];
    // Answers of a target that has begun to block are neither a pass nor a fail, those just before it noticed included.
    if (health === "healthy" && !batch[0]?.check.last) health = await deps.health();
    results.push(...(health === "healthy" ? examined : interrupted(batch, health)));
    for (const { check } of batch) report(check.category);
  }
  return results;
}

type Task = Pick<Result, "check" | "subject">;

const interrupted = (tasks: readonly Task[], health: Exclude<TargetHealth, "healthy">): Result[] =>
  tasks.map((task) => ({ ...task, verdict: inconclusive(INTERRUPTIONS[health]), reach: "untried" }));

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

function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
