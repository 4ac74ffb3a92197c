import type { ScanResource, ScheduleStatus } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decideSchedule } from "./decide.ts";
import { resultsOf } from "./results.ts";
import { at, decided, scanOf, scheduleResource, statusIn, wordsOf } from "./testing/schedules.ts";

const day = (number: number): string => `2027-01-0${number}T02:30:00Z`;
const [SECOND, THIRD, FOURTH, FIFTH, SIXTH] = [day(2), day(3), day(4), day(5), day(6)] as const;

/** The Scan of a run that has ended: with this reason, or completed. */
function ended(slot: string, reason?: NonNullable<ScanResource["status"]>["reason"]): ScanResource {
  const scan = scanOf(slot, reason ? "Failed" : "Completed");
  return { ...scan, status: { ...scan.status, ...(reason ? { reason } : { grade: "B" }) } };
}

/** The status after these Scans have ended, each of which is deleted before the next one ends. */
function after(...scans: readonly ScanResource[]): ScheduleStatus {
  return scans.reduce<ScheduleStatus>((status, scan) => {
    const schedule = scheduleResource({}, { ...decided(SECOND), ...status });
    const now = at(scan.status!.finishedAt!);
    return statusIn(decideSchedule({ now, schedule, scans: [scan] })) ?? status;
  }, {});
}
const readyOf = ({ conditions = [] }: ScheduleStatus) => {
  const { status, reason, message } = conditions.find(({ type }) => type === "Ready")!;
  return [status, reason, message];
};

describe("the result of a schedule", () => {
  test("the result of a schedule is the result of the Scan that ended last, with its grade", () => {
    const status = after(ended(SECOND, "TargetFailed"), ended(THIRD));
    expect(status).toMatchObject({
      lastScan: ended(THIRD).metadata.name,
      lastResult: "Completed",
      lastGrade: "B",
      lastEndTime: "2027-01-03T02:35:00.000Z",
      lastSuccessfulTime: "2027-01-03T02:35:00.000Z",
      consecutiveFailures: 0,
    });
    expect(after(ended(SECOND), ended(THIRD, "AccountNotAllowed"))).toMatchObject({
      lastResult: "AccountNotAllowed",
      lastSuccessfulTime: "2027-01-02T02:35:00.000Z",
      consecutiveFailures: 1,
    });
  });

  test("the result of a schedule has no grade when it is a failure", () => {
    expect(after(ended(SECOND), ended(THIRD, "TargetFailed")).lastGrade).toBeUndefined();
  });

  test("counts each Scan once, however often it is seen and in any order", () => {
    const scans = [ended(THIRD, "TargetFailed"), ended(SECOND, "TargetFailed")];
    const results = resultsOf({ now: at(FOURTH), schedule: scheduleResource(), scans });
    expect(results).toMatchObject({ lastScan: scans[0]!.metadata.name, consecutiveFailures: 2 });
    const again = resultsOf({ now: at(FOURTH), schedule: scheduleResource({}, results), scans });
    expect(again).toEqual(results);
  });

  test("the result of a schedule is kept while the schedule is suspended", () => {
    const schedule = scheduleResource({ suspend: true }, after(ended(SECOND)));
    const plan = decideSchedule({ now: at(FOURTH), schedule, scans: [ended(THIRD, "TargetFailed")] });
    expect(statusIn(plan)).toMatchObject({ lastResult: "TargetFailed" });
  });

  test("shows the time of the last run, for a revision too", () => {
    const schedule = scheduleResource({ revision: "1.4.2" }, decided(SECOND));
    const status = statusIn(decideSchedule({ now: at("2027-01-02T12:00:00Z"), schedule, scans: [] }));
    expect(status).toMatchObject({
      lastScheduleTime: "2027-01-02T02:30:00.000Z",
      lastRunTime: "2027-01-02T12:00:00.000Z",
    });
  });
});

describe("a schedule", () => {
  test("none of whose Scans has completed is not ready, says why, and goes on", () => {
    const status = after(ended(SECOND, "AccountNotAllowed"));
    const message = "None of its Scans has completed, the last one because of AccountNotAllowed.";
    expect(readyOf(status)).toEqual(["False", "ScansFail", message]);
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: "Stalled", status: "True" }));
    const plan = decideSchedule({ now: at(THIRD), schedule: scheduleResource({}, status), scans: [] });
    expect(wordsOf(plan)).toContain("Normal ScanCreated");
    expect(wordsOf(plan)).not.toContain("Warning ScansFail");
  });

  test("a schedule is warned of when its Scans begin to fail", () => {
    const schedule = scheduleResource({}, decided(SECOND));
    const scans = [ended(SECOND, "NotResolved")];
    const plan = decideSchedule({ now: at("2027-01-02T12:00:00Z"), schedule, scans });
    expect(wordsOf(plan)).toContain("Warning ScansFail");
  });

  test("a schedule of which a Scan has completed is not ready after the third failure in a row", () => {
    const failures = [THIRD, FOURTH, FIFTH].map((slot) => ended(slot, "TargetFailed"));
    expect(readyOf(after(ended(SECOND), ...failures.slice(0, 2)))).toEqual(["True", "Scheduled", ""]);
    const status = after(ended(SECOND), ...failures);
    const message = "Its last Scans have all failed, the last one because of TargetFailed.";
    expect(readyOf(status)).toEqual(["False", "ScansFail", message]);
    expect(readyOf(after(ended(SECOND), ...failures, ended(SIXTH)))).toEqual(["True", "Scheduled", ""]);
  });

  test("a schedule is as ready as before when a Scan was cancelled", () => {
    const status = after(ended(SECOND, "Cancelled"));
    expect(status).toMatchObject({ lastResult: "Cancelled", consecutiveFailures: 0 });
    expect(readyOf(status)).toEqual(["True", "Scheduled", ""]);
  });
});
