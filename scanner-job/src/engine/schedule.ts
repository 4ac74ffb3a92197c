import { type Category, type Location, type ScanContext, type Severity } from "@glovebox/contract";
import { instanceId } from "@glovebox/domain";
import type { Operation } from "../inventory/operation.ts";
import { severityIn, type Check, type Subject } from "./check.ts";
import type { Suspicion } from "./observer.ts";
import type { Reach } from "./reach.ts";

/** One check on one subject; with a suspicion, an observation in one response that a second response must confirm. */
export interface Task {
  readonly check: Check;
  readonly subject: Subject;
  readonly suspicion?: Suspicion;
  /** Screened before, and to be examined while nothing else is sent. */
  readonly alone?: true;
}

/** Results so far that determine the order of the remaining tasks. */
export interface Learned {
  readonly reachOf: (operation: Operation) => Reach;
  readonly isDecided: (category: Category, operation: Operation | undefined) => boolean;
  /** Subjects that the check (or the table that it is a row of) has examined, and how many of them it reported. */
  readonly recordOf: (check: Check) => { readonly examined: number; readonly reported: number };
  /** Requests that were sent for tasks of the operation. */
  readonly spentOn: (operation: Operation) => number;
  /** True where signs of a language are answered otherwise than letters: the value may be interpreted. */
  readonly isInterpreted: (place: Location) => boolean;
}

const SEVERITY_VALUE: Record<Severity, number> = { critical: 10, high: 7, medium: 4, low: 2, info: 1 };

/** Factor on the value of a task, by how far requests to its operation got. Most writes were not called before: `untried`. */
const REACH_VALUE: Record<Reach, number> = {
  reached: 1,
  untried: 0.8,
  refused: 0.3,
  missing: 0.3,
  failed: 0.2,
};

/** What a test is worth: severity × likelihood of the weakness on this subject, before anything is known of the target. */
export const valueOf = (
  { check, subject }: Pick<Task, "check" | "subject">,
  context: ScanContext | undefined,
): number => SEVERITY_VALUE[severityIn(check, context)] * (check.prior?.(subject) ?? 1);

/** Bounds of the factor by which the results of a check change its likelihood. */
const [LEAST_LIKELY, MOST_LIKELY] = [0.1, 3];

/**
 * The value of a task per request: likelihood of the weakness on this subject × its severity, doubled where nothing else
 * has decided this category for the operation, divided by the number of requests of the examination.
 * @internal
 */
export function priorityOf(
  { check, subject, suspicion }: Task,
  learned: Learned,
  context: ScanContext | undefined,
): number {
  if (suspicion) return Infinity; // one request, and the weakness has been seen already
  if (check.opens) return OPENING;
  const { operation } = subject;
  const { examined, reported } = learned.recordOf(check);
  const seen = (1 + reported) / (1 + examined / 20);
  const interpreted = isInterpreted({ check, subject }, learned);
  const reach =
    operation && !isAboutRefusals(check) && !interpreted ? REACH_VALUE[learned.reachOf(operation)] : 1;
  const undecided = learned.isDecided(check.category, operation) ? 1 : 2;
  return (
    (valueOf({ check, subject }, context) *
      Math.min(MOST_LIKELY, Math.max(LEAST_LIKELY, seen)) *
      reach *
      undecided *
      (interpreted ? INTERPRETED_VALUE : 1)) /
    costOf(check)
  );
}

/** Above every other task, and below what was seen already. */
const OPENING = 1e6;
/** A value that may be interpreted is this much likelier to be vulnerable to an injection. */
const INTERPRETED_VALUE = 5;

const isInterpreted = ({ check, subject }: Task, learned: Learned): boolean =>
  isOnInput(check) && learned.isInterpreted(subject.location);

const isOnInput = ({ category }: Check): boolean => category === "inputValidation" || category === "ssrf";

/** Share of an operation's requests that attacks on its input leave to all others, which are a few requests each. */
const BESIDE_INPUT = 0.2;

/** Requests for one examination where the check declares no cost. */
const USUAL_COST = 3;

const costOf = ({ cost }: Check): number => cost ?? USUAL_COST;

/** These categories test access without credentials: a refusal does not lower the priority of their tasks. */
const isAboutRefusals = ({ category }: Check): boolean =>
  category === "authentication" || category === "bflaAuthorization" || category === "bolaAuthorization";

/** Passive checks run first, so that an attack that crashes the target does not cost their results; bursts run last. */
type Phase = "passive" | "active" | "burst";

function phaseOf({ check: { last, passive, screen }, suspicion }: Task): Phase {
  if (suspicion) return "passive";
  if (last && !screen) return "burst";
  return passive ? "passive" : "active";
}

/** The pending tasks, those with the highest priority first. */
export class Schedule {
  readonly #learned: Learned;
  readonly #context: ScanContext | undefined;
  readonly #known = new Set<string>();
  /** Sorted, the best last. */
  readonly #pending: Record<Phase, Task[]> = { passive: [], active: [], burst: [] };
  readonly #order = new Map<Task, number>();
  readonly #overLimit: Task[] = [];
  readonly #maxPerOperation: number;
  readonly #isPaused: (operation: Operation) => boolean;
  /** Requests that the tasks under way are expected to send for their operations. */
  readonly #reserved = new Map<Operation, number>();

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
      const place = keyOf(task);
      const count = repeats.get(place) ?? 0;
      repeats.set(place, count + 1);
      const key = `${place} ${count}`;
      return !this.#known.has(key) && this.#known.add(key);
    });
    for (const task of added) {
      this.#order.set(task, this.#order.size);
      this.#pending[phaseOf(task)].push(task);
    }
    if (added.length > 0) this.reorder();
    return added;
  }

  /** Sorts the pending tasks by their current priority. */
  reorder(): void {
    for (const phase of ["passive", "active"] as const) {
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
  postpone(task: Task): void {
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
    if (task) this.#reserve(task, 1);
    return task;
  }

  /** A task that was over the limit of its operation: it may only use responses that are there already. */
  takeOverLimit(): Task | undefined {
    const task = this.#overLimit.shift();
    if (task) this.#reserve(task, 1);
    return task;
  }

  /** Whether the operation may be sent what the task takes; "later" where that depends on the tasks under way. */
  #roomFor({ check, subject: { operation }, suspicion }: Task): "now" | "later" | "never" {
    if (suspicion || !operation) return "now";
    const kept = isOnInput(check) ? BESIDE_INPUT * this.#maxPerOperation : 0;
    const left = this.#maxPerOperation - kept - this.#learned.spentOn(operation);
    if (left <= 0) return "never";
    const reserved = this.#reserved.get(operation) ?? 0;
    return reserved === 0 || reserved + costOf(check) <= left ? "now" : "later";
  }

  /** The task has ended: what it was expected to send is known. */
  ended(task: Task): void {
    this.#reserve(task, -1);
  }

  #reserve({ check, subject: { operation }, suspicion }: Task, sign: 1 | -1): void {
    if (suspicion || !operation) return;
    const reserved = this.#reserved.get(operation) ?? 0;
    this.#reserved.set(operation, reserved + sign * costOf(check));
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

/**
 * Key of a check at a location: a digest, because thousands of tasks have long paths. Several subjects of one check at one
 * location are distinguished by their order.
 */
const keyOf = ({ check, subject: { location }, suspicion }: Task): string =>
  `${instanceId(check.id, location)}${suspicion === undefined ? "" : " suspicion"}`;
