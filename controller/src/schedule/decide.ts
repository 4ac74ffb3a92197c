import { decideRun, timingError } from "@glovebox/domain/schedule";
import {
  type ScanManifest,
  type ScanResource,
  scheduleSpecSchema,
  type ScheduleCondition,
  type ScheduleReason,
  type ScheduleResource,
} from "@glovebox/k8s";
import type * as z from "zod";
import { specError } from "../scan/rules/acceptance.ts";
import type { SCHEDULE_RUN_OUTCOMES } from "../process/metrics.ts";
import { isFinished } from "../scan/status.ts";
import { notesOf, type ScheduleNote } from "./notes.ts";
import { decideRevision, type RevisionDecision } from "./revision.ts";
import { MIN_MINUTES, runName, scanOfRun, slotOf } from "./runs.ts";
import { failureOf, orderOf, type Results, resultsOf } from "./results.ts";
import { conditionsOf, isNews, type Readiness, statusAction } from "./status.ts";

/** All that a decision on one ScanSchedule may depend on. */
export interface ScheduleWorld {
  /** By the API server's clock. */
  readonly now: Date;
  readonly schedule: ScheduleResource;
  /** The Scans that it controls. */
  readonly scans: readonly ScanResource[];
}

/** A missing Scan counts as deleted. */
export type ScheduleAction =
  /** Only if the schedule is still the observed one, so that a stale view starts nothing. */
  | { readonly do: "createScan"; readonly scan: ScanManifest }
  | { readonly do: "deleteScan"; readonly name: string; readonly uid: string }
  /** Replaces the status at the observed resourceVersion. */
  | { readonly do: "patchStatus"; readonly status: NonNullable<ScheduleResource["status"]> };

export interface SchedulePlan {
  /** In order; the plan ends with the first that fails, and is decided again. */
  readonly actions: readonly ScheduleAction[];
  /** Events on the schedule, recorded once the actions are done. */
  readonly notes: readonly ScheduleNote[];
  /** How many runs this decides, once the actions are done. */
  readonly runs?: Readonly<Record<(typeof SCHEDULE_RUN_OUTCOMES)[number], number>>;
  /** When to decide again, unless something changes before. */
  readonly nextAt?: Date | undefined;
}

type Spec = z.output<typeof scheduleSpecSchema>;

/** What to do for a schedule. Pure: the same world gives the same plan. */
export function decideSchedule(world: ScheduleWorld): SchedulePlan {
  if (world.schedule.metadata.deletionTimestamp !== undefined) return { actions: [], notes: [] };
  const spec = readSpec(world);
  if ("reason" in spec) return refuse(world, spec);
  return spec.suspend ? suspended(world, spec) : run(world, spec);
}

interface SpecError {
  readonly reason: ScheduleReason;
  readonly message: string;
}

function readSpec({ schedule, now }: ScheduleWorld): Spec | SpecError {
  const parsed = scheduleSpecSchema.safeParse(schedule.spec);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { reason: "InvalidSchedule", message: `spec.${issue!.path.join(".")}: ${issue!.message}.` };
  }
  const error = timingError(parsed.data, now, MIN_MINUTES);
  if (error) return { reason: "InvalidSchedule", message: `spec.${error.field} ${error.error}.` };
  const target = specError(parsed.data.scanTemplate.spec);
  if (target !== undefined)
    return { reason: "InvalidTemplate", message: `spec.scanTemplate.spec.${target}.` };
  return parsed.data;
}

function refuse(world: ScheduleWorld, { reason, message }: SpecError): SchedulePlan {
  const conditions = conditionsOf(world, { status: "False", reason, message });
  return {
    actions: statusAction(world, { ...idle(world), conditions }),
    notes: isNews(world, conditions) ? [{ type: "Warning", reason, note: message }] : [],
  };
}

function suspended(world: ScheduleWorld, spec: Spec): SchedulePlan {
  const conditions = conditionsOf(world, { status: "True", reason: "Suspended" });
  return {
    actions: [...statusAction(world, { ...idle(world), conditions }), ...surplus(world, spec)],
    notes: [],
  };
}

/** Without a time of the next run. Runs of this time are neither started nor missed. */
const idle = (world: ScheduleWorld) => ({
  ...resultsOf(world),
  active: activeOf(world).length,
  lastScheduleTime: latest(...lastRunsOf(world))?.toISOString(),
  nextScheduleTime: undefined,
  observedSchedule: undefined,
});

function run(world: ScheduleWorld, spec: Spec): SchedulePlan {
  const { schedule, now } = world;
  const active = activeOf(world);
  const after = decidedUntil(world, spec);
  const timing = { ...spec, id: schedule.metadata.uid };
  const decision = decideRun(timing, { after, now, isRunning: active.length > 0 });
  const { due, missed, nextAt } = decision;
  const isDecided = due !== undefined || missed > 0;
  const isSkipped = due?.action === "skip";
  const slots = due && !isSkipped ? [due.slot] : [];
  const revision = decideRevision(world, {
    policy: spec.concurrencyPolicy,
    active,
    hasRun: slots.length > 0,
  });
  const replaced = due?.action === "replace" ? active : revision.replaced;
  const names = [...slots.map((slot) => runName(schedule, slot)), ...revision.created];
  const results = resultsOf(world);
  const conditions = conditionsOf(world, readinessOf(results));
  const status = {
    ...results,
    active: active.length - replaced.length + names.length,
    ...lastTimes(world, slots, revision),
    nextScheduleTime: nextAt?.toISOString(),
    missedRuns: missedBefore(world) + missed + (isSkipped ? 1 : 0),
    ...revision.status,
    decidedUntil: (isDecided ? decision.decidedUntil : after).toISOString(),
    observedSchedule: describe(spec),
    conditions,
  };
  return {
    actions: [
      ...replaced.map(deletion),
      ...names.map((name) => ({ do: "createScan", scan: scanOfRun(schedule, name) }) as const),
      ...statusAction(world, status),
      ...surplus(world, spec),
    ],
    notes: [...notesOf(schedule, decision, active), ...revision.notes, ...failureNotes(world, conditions)],
    runs: { started: names.length, skipped: isSkipped ? 1 : 0, missed },
    nextAt: earliest(nextAt, revision.waitsUntil),
  };
}

/** When the last run of a time of the schedule started, and the last one of any kind. */
function lastTimes(world: ScheduleWorld, slots: readonly Date[], { status }: RevisionDecision) {
  const lastScheduleTime = latest(...slots, ...lastRunsOf(world));
  const { lastRevisionTime } = { ...world.schedule.status, ...status };
  const ofRevision = lastRevisionTime === undefined ? [] : [new Date(lastRevisionTime)];
  return {
    lastScheduleTime: lastScheduleTime?.toISOString(),
    lastRunTime: latest(...(lastScheduleTime ? [lastScheduleTime] : []), ...ofRevision)?.toISOString(),
  };
}

/** Runs start in any case: the cause may be outside the schedule, such as an annotation of the namespace. */
function readinessOf(results: Results): Readiness {
  const message = failureOf(results);
  return message === undefined
    ? { status: "True", reason: "Scheduled" }
    : { status: "False", reason: "ScansFail", message };
}

function failureNotes(world: ScheduleWorld, conditions: readonly ScheduleCondition[]): ScheduleNote[] {
  const [{ reason, message }] = conditions as [ScheduleCondition];
  return reason === "ScansFail" && isNews(world, conditions)
    ? [{ type: "Warning", reason, note: message }]
    : [];
}

const missedBefore = ({ schedule }: ScheduleWorld): number => schedule.status?.missedRuns ?? 0;

const describe = ({ schedule, timeZone }: Pick<Spec, "schedule" | "timeZone">): string =>
  `${schedule} ${timeZone}`;

/** Runs up to here were decided. A Scan that exists is a run that was started, even if its status was not written. */
function decidedUntil(world: ScheduleWorld, spec: Spec): Date {
  const { metadata, status } = world.schedule;
  const since = ((): Date => {
    if ((status?.observedGeneration ?? -1) < 0) return new Date(metadata.creationTimestamp);
    const isSame = status?.observedSchedule === describe(spec) && status.decidedUntil !== undefined;
    return isSame ? new Date(status.decidedUntil!) : world.now;
  })();
  return latest(since, ...slotsOf(world)) ?? since;
}

function lastRunsOf(world: ScheduleWorld): Date[] {
  const { lastScheduleTime } = world.schedule.status ?? {};
  return [...(lastScheduleTime ? [new Date(lastScheduleTime)] : []), ...slotsOf(world)];
}

/** A name with a time to come is not of a run. */
const slotsOf = ({ scans, now }: ScheduleWorld): Date[] =>
  scans.map(slotOf).filter((slot) => slot !== undefined && slot <= now) as Date[];

const earliest = (...times: readonly (Date | null | undefined)[]): Date | undefined =>
  times.filter((time) => time instanceof Date).toSorted((a, b) => a.getTime() - b.getTime())[0];

const latest = (...times: readonly Date[]): Date | undefined =>
  times.toSorted((a, b) => a.getTime() - b.getTime()).at(-1);

const activeOf = ({ scans }: ScheduleWorld): ScanResource[] =>
  scans.filter((scan) => !isFinished(scan) && scan.metadata.deletionTimestamp === undefined);

const deletion = ({ metadata: { name, uid } }: ScanResource): ScheduleAction => ({
  do: "deleteScan",
  name,
  uid,
});

/** Ended Scans beyond the limits of the history, the oldest. */
function surplus({ scans }: ScheduleWorld, spec: Spec): ScheduleAction[] {
  const ended = scans
    .filter((scan) => isFinished(scan) && scan.metadata.deletionTimestamp === undefined)
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
  const completed = ended.filter(({ status }) => status?.phase === "Completed");
  const failed = ended.filter(({ status }) => status?.phase !== "Completed");
  return [...completed.slice(spec.successfulHistoryLimit), ...failed.slice(spec.failedHistoryLimit)].map(
    deletion,
  );
}
