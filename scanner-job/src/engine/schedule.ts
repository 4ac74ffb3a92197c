import type { ScanContext } from "@glovebox/contract";
import { instanceId } from "@glovebox/domain";
import type { Operation } from "../inventory/operation.ts";
import type { ExaminingCheck } from "./check.ts";
import { BESIDE_INPUT, isOnInput, priorityOf, type Learned } from "./priority.ts";
import type { Examination, Task } from "./task.ts";

/** Passive checks run first, so that an attack that crashes the target does not cost their results; bursts run last. */
type Phase = "passive" | "active" | "burst";

const PHASE_OF: Readonly<Record<ExaminingCheck["kind"], Phase>> = {
  exposure: "active",
  passive: "passive",
  injection: "active",
  timed: "active",
  differential: "active",
  bypass: "active",
  comparison: "active",
  burst: "burst",
};

const phaseOf = (task: Task): Phase => (task.suspicion ? "passive" : PHASE_OF[task.check.kind]);

/** The pending tasks, those with the highest priority first. */
export class Schedule {
  readonly #learned: Learned;
  readonly #context: ScanContext | undefined;
  readonly #known = new Set<string>();
  /** Sorted, the best last. */
  readonly #pending: Record<Phase, Task[]> = { passive: [], active: [], burst: [] };
  readonly #order = new Map<Task, number>();
  readonly #overLimit: Task[] = [];
  #maxPerOperation: number;
  /** Results since the tasks were sorted. */
  #unsorted = 0;
  readonly #isPaused: (operation: Operation) => boolean;
  /** Requests that the tasks under way are expected to send for their operations. */
  readonly #reserved = new Map<Operation, number>();
  readonly #expected = new Map<Task, number>();

  constructor(
    learned: Learned,
    {
      context,
      maxPerOperation,
      isPaused = () => false,
    }: {
      context: ScanContext | undefined;
      maxPerOperation: number;
      /** Whether requests for the operation wait because of its rate limit: its tasks come after all others. */
      isPaused?: (operation: Operation) => boolean;
    },
  ) {
    this.#learned = learned;
    this.#context = context;
    this.#maxPerOperation = maxPerOperation;
    this.#isPaused = isPaused;
  }

  /** Adds the tasks that are not known yet, and returns them. */
  add(tasks: readonly Task[]): readonly Task[] {
    const repeats = new Map<string, number>();
    const added = tasks.filter((task) => {
      const taskKey = keyOf(task);
      const count = repeats.get(taskKey) ?? 0;
      repeats.set(taskKey, count + 1);
      const key = `${taskKey} ${count}`;
      return !this.#known.has(key) && this.#known.add(key);
    });
    for (const task of added) this.#order.set(task, this.#order.size);
    this.#append(added);
    return added;
  }

  /** Requests that an operation may be sent at present. */
  get maxPerOperation(): number {
    return this.#maxPerOperation;
  }

  /** Sorts the pending tasks once there are results enough to be worth it: as often for thousands of operations as for ten. */
  learned(results: number): void {
    this.#unsorted += results;
    const pending = this.#pending.passive.length + this.#pending.active.length;
    if (this.#unsorted * PENDING_FOR_RESULT < pending) return;
    this.#unsorted = 0;
    this.#sort(SORTED);
  }

  #append(tasks: readonly Task[]): void {
    const byPhase = Map.groupBy(tasks, phaseOf);
    for (const [phase, some] of byPhase) this.#pending[phase].push(...some);
    this.#sort(SORTED.filter((phase) => byPhase.has(phase)));
  }

  /** Sorts pending tasks by their current priority. */
  #sort(phases: typeof SORTED): void {
    for (const phase of phases) {
      const ranked = this.#pending[phase].map((task) => ({
        task,
        order: this.#order.get(task)!,
        priority: priorityOf(task, this.#learned, this.#context),
      }));
      // Of equal priorities, the task that was added first: checks list their most likely subjects first.
      ranked.sort((a, b) => (a.priority === b.priority ? b.order - a.order : a.priority - b.priority));
      this.#pending[phase] = ranked.map(({ task }) => task);
    }
  }

  /** The task with the highest priority that need not run alone. */
  take(): Task | undefined {
    const isPaused = ({ subject: { operation } }: Task): boolean =>
      operation !== undefined && this.#isPaused(operation);
    for (const defers of [isPaused, () => false]) {
      const task = this.#takeFrom("passive", defers) ?? this.#takeFrom("active", defers);
      if (task) return task;
    }
    return undefined;
  }

  /** Has a task that was screened examined alone, before the bursts, which may get the scan throttled. */
  postpone(task: Examination): void {
    this.#pending.burst.unshift({ ...task, alone: true });
  }

  #takeFrom(phase: "passive" | "active", defers: (task: Task) => boolean): Task | undefined {
    const pending = this.#pending[phase];
    const waiting: Task[] = [];
    let task = pending.pop();
    for (; task; task = pending.pop()) {
      const room = defers(task) ? "later" : this.#roomFor(task);
      if (room === "now") break;
      (room === "never" ? this.#overLimit : waiting).push(task);
    }
    pending.push(...waiting.toReversed());
    if (task) this.#reserve(task);
    return task;
  }

  /** Lets each operation be sent twice as much, and takes up what was over its limit. False where nothing was. */
  widen(): boolean {
    if (this.#overLimit.length === 0) return false;
    this.#maxPerOperation *= 2;
    this.#append(this.#overLimit.splice(0));
    return true;
  }

  /** The task was cut short by the limit of its operation, and may be taken up when that is widened. */
  cutShort(task: Task): void {
    this.#overLimit.push(task);
  }

  /** A task that was over the limit of its operation: it may only use responses that are there already. */
  takeOverLimit(): Task | undefined {
    const task = this.#overLimit.shift();
    if (task) this.#reserve(task);
    return task;
  }

  /** Whether the operation may be sent what the task takes; "later" where that depends on the tasks under way. */
  #roomFor({ check, subject: { operation }, suspicion }: Task): "now" | "later" | "never" {
    if (suspicion || !operation) return "now";
    const kept = isOnInput(check) ? BESIDE_INPUT * this.#maxPerOperation : 0;
    const left = this.#maxPerOperation - kept - this.#learned.spentOn(operation);
    if (left <= 0) return "never";
    const reserved = this.#reservedFor(operation);
    return reserved === 0 || reserved + this.#learned.costOf(check) <= left ? "now" : "later";
  }

  /** The task has ended: what it was expected to send is known. */
  ended(task: Task): void {
    const { operation } = task.subject;
    if (operation)
      this.#reserved.set(operation, this.#reservedFor(operation) - (this.#expected.get(task) ?? 0));
    this.#expected.delete(task);
  }

  #reserve(task: Task): void {
    const { operation } = task.subject;
    if (task.suspicion || !operation) return;
    const expected = this.#learned.costOf(task.check);
    this.#expected.set(task, expected);
    this.#reserved.set(operation, this.#reservedFor(operation) + expected);
  }

  #reservedFor(operation: Operation): number {
    return this.#reserved.get(operation) ?? 0;
  }

  get hasBursts(): boolean {
    return this.#pending.burst.length > 0;
  }

  /** The tasks that run one at a time after all others. */
  takeBursts(): readonly Task[] {
    return this.#pending.burst.splice(0);
  }

  /** Takes all pending tasks: those over the limit of their operation, and those over the budget of the scan. */
  takeRest(): { readonly overLimit: readonly Task[]; readonly unaffordable: readonly Task[] } {
    return {
      overLimit: this.#overLimit.splice(0),
      unaffordable: [...this.#pending.passive.splice(0), ...this.#pending.active.splice(0)],
    };
  }
}

/** Bursts run in the order of their planning. */
const SORTED: readonly ("passive" | "active")[] = ["passive", "active"];

/** Pending tasks for each result after which they are sorted again. */
const PENDING_FOR_RESULT = 50;

/**
 * Key of a check at a location: a digest, because thousands of tasks have long paths. Several subjects of one check at one
 * location are distinguished by their order.
 */
const keyOf = ({ check, subject: { location }, suspicion }: Task): string =>
  `${instanceId(check.id, location)}${suspicion === undefined ? "" : " suspicion"}`;
