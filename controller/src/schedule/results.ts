import type { ScanResource, ScheduleStatus } from "@glovebox/k8s";
import { isFinished } from "../scan/status.ts";
import type { ScheduleWorld } from "./decide.ts";

/** What the status keeps of Scans that have ended, because the Scans themselves are deleted. */
export type Results = Pick<
  ScheduleStatus,
  "lastScan" | "lastResult" | "lastGrade" | "lastEndTime" | "lastSuccessfulTime" | "consecutiveFailures"
>;

/** Sorts Scans by their end. */
export const orderOf = ({ metadata, status }: ScanResource): string =>
  `${status?.finishedAt} ${metadata.name}`;

/** The results, with the results of the Scans that have ended since they were written. */
export function resultsOf({ schedule: { status = {} }, scans }: ScheduleWorld): Results {
  const { lastScan, lastResult, lastGrade, lastEndTime, lastSuccessfulTime, consecutiveFailures } = status;
  const before = { lastScan, lastResult, lastGrade, lastEndTime, lastSuccessfulTime, consecutiveFailures };
  const seen = lastEndTime === undefined ? "" : `${lastEndTime} ${lastScan}`;
  return scans
    .filter((scan) => isFinished(scan) && orderOf(scan) > seen)
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .reduce<Results>(withResult, before);
}

function withResult(before: Results, { metadata, status = {} }: ScanResource): Results {
  const { phase, reason, grade, finishedAt } = status;
  const isSuccess = phase === "Completed";
  const failures = before.consecutiveFailures ?? 0;
  return {
    lastScan: metadata.name,
    lastResult: isSuccess ? phase : (reason ?? "Failed"),
    lastGrade: isSuccess ? grade : undefined,
    lastEndTime: finishedAt,
    lastSuccessfulTime: isSuccess ? finishedAt : before.lastSuccessfulTime,
    // A scan that somebody cancelled says nothing about the schedule.
    consecutiveFailures: isSuccess ? 0 : reason === "Cancelled" ? failures : failures + 1,
  };
}

/** Failures in a row after which a schedule is not ready; one that never had a success is not after the first. */
const MANY_FAILURES = 3;

/** Why the Scans of the schedule count as failing; undefined if they do not. */
export function failureOf({ lastSuccessfulTime, consecutiveFailures = 0, lastResult }: Results) {
  if (consecutiveFailures === 0) return undefined;
  if (lastSuccessfulTime !== undefined && consecutiveFailures < MANY_FAILURES) return undefined;
  const which =
    lastSuccessfulTime === undefined ? "None of its Scans has completed" : "Its last Scans have all failed";
  return `${which}, the last one because of ${lastResult}.`;
}
