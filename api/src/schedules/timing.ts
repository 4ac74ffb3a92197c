import { ApiError, type Plan } from "@glovebox/contract";
import { LEAST_INTERVAL_MINUTES, decideRun, flawOfTiming, type Schedule } from "@glovebox/contract/schedule";

/**
 * The least minutes between two runs.
 * @throws ApiError `forbidden` where the plan has no schedules
 */
export function leastMinutesOf(plan: Plan): number {
  const least = LEAST_INTERVAL_MINUTES[plan];
  if (least === null) throw new ApiError("forbidden", "The plan does not include schedules.");
  return least;
}

/** @throws ApiError `forbidden` as above, and `invalid_request` for a time that cannot be run at, or too often for the plan */
export function requireTiming(plan: Plan, timing: Pick<Schedule, "schedule" | "timeZone">, now: Date): void {
  const found = flawOfTiming(timing, now, leastMinutesOf(plan));
  if (found) throw new ApiError("invalid_request", `${found.field}: ${found.flaw}`);
}

/** When the first run after a moment is to be decided; null while it is suspended. */
export const nextRunAfter = (schedule: Schedule, after: Date): Date | null =>
  schedule.suspend ? null : decideRun(schedule, { after, now: after, isRunning: false }).nextAt;
