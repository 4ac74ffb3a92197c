import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { Cron } from "croner";
import type { Plan } from "@glovebox/contract";
import type { ConcurrencyPolicy, Timing } from "@glovebox/contract/schedule";

/** The least minutes between two runs, by plan; null: no schedules. */
export const MIN_INTERVAL_MINUTES: Readonly<Record<Plan, number | null>> = {
  free: null,
  starter: null,
  pro: 60,
  enterprise: 15,
};

/** Why a time can never be run at, or too often; undefined if the schedule is usable. The text follows the name of a field. */
export function timingError(
  { schedule, timeZone }: Pick<Timing, "schedule" | "timeZone">,
  now: Date,
  minMinutes: number,
): { readonly field: "schedule" | "timeZone"; readonly error: string } | undefined {
  if (!isTimeZone(timeZone)) return { field: "timeZone", error: "is not the name of a time zone" };
  const error = cronError(schedule, now, minMinutes);
  return error === undefined ? undefined : { field: "schedule", error };
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false; // offsets such as +02:00 have no summer time
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Runs whose distances are compared: more than a day of the shortest interval. */
const COMPARED_RUNS = 100;

function cronError(schedule: string, now: Date, minMinutes: number): string | undefined {
  if (!/^[0-9A-Za-z*,/#-]+( [0-9A-Za-z*,/#-]+){4}$/.test(schedule))
    return "must have five fields of a cron expression";
  let runs: Cron;
  try {
    runs = cronOf(schedule, "Etc/UTC"); // without jumps of the clock
  } catch {
    return "is not a cron expression";
  }
  let last = runs.nextRun(now);
  if (last === null) return "has no run";
  for (let count = 0; count < COMPARED_RUNS; count++) {
    const next = runs.nextRun(last);
    if (next === null) return undefined;
    if (next.getTime() - last.getTime() < minMinutes * 60_000)
      return `runs more often than every ${minMinutes} minutes`;
    last = next;
  }
  return undefined;
}

const cronOf = (schedule: string, timeZone: string): Cron =>
  new Cron(schedule, { timezone: timeZone, mode: "5-part", paused: true });

export interface Schedule extends Timing {
  /** Identifies it; decides its jitter. */
  readonly id: string;
}

export interface RunDecision {
  /** The run that is due now, and what to do: `skip` because the scan before has not ended and the policy is Forbid. */
  readonly due?: { readonly slot: Date; readonly action: "start" | "replace" | "skip" };
  /** Runs that were not started in time, 100 for more. */
  readonly missed: number;
  /** Runs up to here were decided: the `after` of the next decision. */
  readonly decidedUntil: Date;
  /** When to decide again; null: never. */
  readonly nextAt: Date | null;
}

const MAX_MISSED = 100;

/**
 * What to do for a schedule at a moment. Only the latest run that is due is started; earlier ones are missed, as is one past its
 * deadline. Pure: the same arguments give the same decision.
 * @param after runs up to here were decided before
 * @throws an Error for an invalid timing
 */
export function decideRun(
  schedule: Schedule,
  { after, now, isRunning }: { readonly after: Date; readonly now: Date; readonly isRunning: boolean },
): RunDecision {
  const cron = cronOf(schedule.schedule, schedule.timeZone);
  const { jitterSeconds, startingDeadlineSeconds } = schedule;
  const span = (jitterSeconds + startingDeadlineSeconds) * 1000;
  const oldest = new Date(Math.max(after.getTime(), now.getTime() - span - 1000));
  const late = slotsBetween(cron, { after, until: oldest, limit: MAX_MISSED });
  const recent = slotsBetween(cron, { after: oldest, until: now, limit: Infinity });
  const startAt = (slot: Date): number => slot.getTime() + jitterMs(schedule, slot);
  const slot = recent.findLast((each) => startAt(each) <= now.getTime());
  const decidedUntil = slot ?? late.at(-1) ?? after;
  const next = cron.nextRun(decidedUntil);
  const decided = {
    decidedUntil: decidedUntil < oldest && slot === undefined ? oldest : decidedUntil,
    nextAt: next && new Date(startAt(next)),
  };
  if (schedule.suspend) return { ...decided, missed: 0 };

  const passed = slot ? recent.indexOf(slot) : 0;
  const inTime = slot !== undefined && now.getTime() - startAt(slot) <= startingDeadlineSeconds * 1000;
  const missed = Math.min(MAX_MISSED, late.length + passed + (slot && !inTime ? 1 : 0));
  if (!inTime) return { ...decided, missed };
  return { ...decided, missed, due: { slot, action: actionOf(schedule.concurrencyPolicy, isRunning) } };
}

function actionOf(policy: ConcurrencyPolicy, isRunning: boolean): "start" | "replace" | "skip" {
  if (!isRunning || policy === "Allow") return "start";
  return policy === "Replace" ? "replace" : "skip";
}

function slotsBetween(
  cron: Cron,
  { after, until, limit }: { readonly after: Date; readonly until: Date; readonly limit: number },
): Date[] {
  const slots: Date[] = [];
  for (let slot = cron.nextRun(after); slot !== null && slot <= until && slots.length < limit;) {
    slots.push(slot);
    slot = cron.nextRun(slot);
  }
  return slots;
}

/** The same for every process that looks at this run. */
function jitterMs({ id, jitterSeconds }: Schedule, slot: Date): number {
  if (jitterSeconds === 0) return 0;
  const digest = sha256(utf8ToBytes(`${id} ${slot.toISOString()}`));
  return new DataView(digest.buffer).getUint32(0) % (jitterSeconds * 1000 + 1);
}
