import type { Category, Location, ScanContext, Severity } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { severityIn, type Check, type Subject } from "./check.ts";
import type { Reach } from "./reach.ts";
import type { Task } from "./task.ts";

/** Results so far that determine the order of the remaining tasks. */
export interface Learned {
  readonly reachOf: (operation: Operation) => Reach;
  readonly isDecided: (category: Category, operation: Operation | undefined) => boolean;
  /** Subjects that the check (or the table that it is a row of) has examined, and how many of them it reported. */
  readonly recordOf: (check: Check) => { readonly examined: number; readonly reported: number };
  /** Requests that an examination of the check takes: as declared, and then as it turns out. */
  readonly costOf: (check: Check) => number;
  /** Requests that were sent for tasks of the operation. */
  readonly spentOn: (operation: Operation) => number;
  /** True where signs of a language get different responses from benign letters: the value may be interpreted. */
  readonly isInterpreted: (location: Location) => boolean;
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

const priorOf = (check: Check, subject: Subject): number =>
  "prior" in check ? (check.prior?.(subject) ?? 1) : 1;

/** What a test is worth: severity × likelihood of the weakness on this subject, before anything is known of the target. */
export const valueOf = (
  { check, subject }: { readonly check: Check; readonly subject: Subject },
  context: ScanContext | undefined,
): number => SEVERITY_VALUE[severityIn(check, context)] * priorOf(check, subject);

/** Bounds of the factor by which the results of a check change its likelihood. */
const [LEAST_LIKELY, MOST_LIKELY] = [0.1, 3];

/**
 * The value of a task per request: likelihood of the weakness on this subject × the square root of its severity, doubled where
 * nothing else has decided this category for the operation, divided by the requests that an examination takes.
 */
export function priorityOf(
  { check, subject, suspicion }: Task,
  learned: Learned,
  context: ScanContext | undefined,
): number {
  if (suspicion) return Infinity; // one request, and the weakness has been seen already
  if ("opens" in check && check.opens) return OPENING;
  const { operation } = subject;
  const { examined, reported } = learned.recordOf(check);
  const seen = (1 + reported) / (1 + examined / 20);
  const interpreted = isInterpreted({ check, subject }, learned);
  const reach =
    operation && !isAboutRefusals(check) && !interpreted ? REACH_VALUE[learned.reachOf(operation)] : 1;
  const undecided = learned.isDecided(check.category, operation) ? 1 : 2;
  return (
    (SEVERITY_VALUE[severityIn(check, context)] ** SEVERITY_EXPONENT *
      priorOf(check, subject) *
      (check.kind === "exposure" ? EXPOSURE_LIKELIHOOD : 1) *
      Math.min(MOST_LIKELY, Math.max(LEAST_LIKELY, seen)) *
      reach *
      undecided *
      (interpreted ? INTERPRETED_VALUE : 1)) /
    learned.costOf(check)
  );
}

/**
 * Without it, tests of critical weaknesses come before nearly all others, and most weaknesses are found late
 * (docs/benchmarks.md, "Detection").
 */
const SEVERITY_EXPONENT = 0.5;
/** Of hundreds of files and consoles, a target has hardly any. */
const EXPOSURE_LIKELIHOOD = 0.1;

/** Above every other task, and below what was seen already. */
const OPENING = 1e6;
/** A value that may be interpreted is this much likelier to be vulnerable to an injection. */
const INTERPRETED_VALUE = 5;

const isInterpreted = ({ check, subject }: Task, learned: Learned): boolean =>
  isOnInput(check) && learned.isInterpreted(subject.location);

export const isOnInput = ({ category }: Check): boolean =>
  category === "inputValidation" || category === "ssrf";

/** Share of an operation's requests that attacks on its input leave to all others, which are a few requests each. */
export const BESIDE_INPUT = 0.2;

/** Requests for one examination where the check declares no cost. */
const DEFAULT_COST = 3;

export const declaredCost = (check: Check): number =>
  "cost" in check ? (check.cost ?? DEFAULT_COST) : DEFAULT_COST;

/** These categories test access without credentials: a refusal does not lower the priority of their tasks. */
const isAboutRefusals = ({ category }: Check): boolean =>
  category === "authentication" || category === "bflaAuthorization" || category === "bolaAuthorization";
