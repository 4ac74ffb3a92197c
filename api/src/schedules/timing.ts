import { ApiError, type Plan } from "@glovebox/contract";
import { timingSchema } from "@glovebox/contract/schedule";
import { MIN_INTERVAL_MINUTES, decideRun, timingError, type Schedule } from "@glovebox/domain/schedule";

type Times = Pick<Schedule, "schedule" | "timeZone">;

/**
 * The least minutes between two runs.
 * @throws ApiError `forbidden` where the plan has no schedules
 */
export function minMinutesOf(plan: Plan): number {
  const least = MIN_INTERVAL_MINUTES[plan];
  if (least === null) throw new ApiError("forbidden", "The plan does not include schedules.");
  return least;
}

/** @throws ApiError `forbidden` as above, and `invalid_request` for a time that cannot be run at, or too often for the plan */
export function requireTiming(plan: Plan, timing: Times, now: Date): void {
  const found = timingError(timing, now, minMinutesOf(plan));
  if (found) throw new ApiError("invalid_request", found.error, { field: found.field });
}

/** The next runs, without jitter; none where there is a problem. */
export interface TimingPreview {
  readonly problem: { readonly field: keyof Times; readonly message: string } | null;
  readonly runs: readonly string[];
}

const PREVIEWED = 3;

/** @throws ApiError `forbidden` */
export function previewOf(plan: Plan, times: Times, now: Date): TimingPreview {
  const found = timingError(times, now, minMinutesOf(plan));
  if (found) return { problem: { field: found.field, message: found.error }, runs: [] };
  const schedule = { ...UNTIMED, ...times };
  const runs: Date[] = [];
  while (runs.length < PREVIEWED) {
    const next = nextRunAfter(schedule, runs.at(-1) ?? now);
    if (next === null) break;
    runs.push(next);
  }
  return { problem: null, runs: runs.map((run) => run.toISOString()) };
}

const UNTIMED = { id: "", ...timingSchema.omit({ schedule: true, timeZone: true }).parse({}) };

/** When the first run after a moment is to be decided; null while it is suspended. */
export const nextRunAfter = (schedule: Schedule, after: Date): Date | null =>
  schedule.suspend ? null : decideRun(schedule, { after, now: after, isRunning: false }).nextAt;
