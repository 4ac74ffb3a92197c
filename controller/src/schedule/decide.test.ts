import type { ScanResource, ScheduleSpec, ScheduleStatus } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decideSchedule, type SchedulePlan } from "./decide.ts";
import { runName } from "./runs.ts";
import { at, decided, scanOf, scheduleResource, statusIn, wordsOf } from "./testing/schedules.ts";

interface Given {
  readonly spec?: Partial<ScheduleSpec>;
  readonly status?: ScheduleStatus;
  readonly scans?: readonly ScanResource[];
}

const plan = (now: string, { spec = {}, status, scans = [] }: Given = {}): SchedulePlan =>
  decideSchedule({ now: at(now), schedule: scheduleResource(spec, status), scans });
const nameAt = (slot: string): string => runName(scheduleResource(), at(slot));
const readyOf = (status: ScheduleStatus | undefined) =>
  status?.conditions?.map(({ type, status: is, reason, message }) => [type, is, reason, message]);

const SECOND = "2027-01-02T02:30:00Z";
const THIRD = "2027-01-03T02:30:00Z";

describe("a new schedule", () => {
  test("starts nothing before its time, and says when the next run is", () => {
    const first = plan("2027-01-01T12:00:01Z");
    expect(wordsOf(first)).toEqual(["patch"]);
    expect(statusIn(first)).toMatchObject({
      nextScheduleTime: "2027-01-02T02:30:00.000Z",
      active: 0,
      missedRuns: 0,
      observedGeneration: 1,
    });
    expect(readyOf(statusIn(first))).toEqual([["Ready", "True", "Scheduled", ""]]);
    expect(first.nextAt).toEqual(at(SECOND));
  });

  test("changes nothing more until its time comes", () => {
    const status = statusIn(plan("2027-01-01T12:00:01Z"))!;
    expect(wordsOf(plan("2027-01-01T20:00:00Z", { status }))).toEqual([]);
  });

  test("creates a Scan at its time, named after the schedule and the time, which it controls", () => {
    const due = plan(SECOND);
    expect(wordsOf(due)).toEqual([`create ${nameAt(SECOND)}`, "patch", "Normal ScanCreated"]);
    expect(due.actions[0]).toMatchObject({
      scan: {
        metadata: {
          namespace: "glovebox-scans",
          labels: { "glovebox.dev/schedule": "shop" },
          ownerReferences: [{ kind: "ScanSchedule", uid: "schedule-uid", controller: true }],
        },
        spec: { url: "https://api.shop.example/v1" },
      },
    });
    expect(statusIn(due)).toMatchObject({
      active: 1,
      lastScheduleTime: "2027-01-02T02:30:00.000Z",
      nextScheduleTime: "2027-01-03T02:30:00.000Z",
    });
  });
});

describe("a run that is due", () => {
  test("a run that is due is not started again once it was, though its status was never written", () => {
    const again = plan("2027-01-02T02:30:20Z", { scans: [scanOf(SECOND)] });
    expect(wordsOf(again)).toEqual(["patch"]);
    expect(statusIn(again)).toMatchObject({ lastScheduleTime: "2027-01-02T02:30:00.000Z", missedRuns: 0 });
  });

  test("a run that is due is not missed when its Scan was created in time and the status was written a day late", () => {
    const late = plan("2027-01-02T23:00:00Z", { scans: [scanOf(SECOND, "Completed")] });
    expect(statusIn(late)).toMatchObject({ missedRuns: 0, lastScheduleTime: "2027-01-02T02:30:00.000Z" });
  });

  test("a run that is due is not held up by a Scan whose name has a time to come", () => {
    const scans = [scanOf("2031-01-01T02:30:00Z", "Completed")];
    expect(wordsOf(plan(SECOND, { scans }))).toContain(`create ${nameAt(SECOND)}`);
  });

  test.each<[ScheduleSpec["concurrencyPolicy"], string[], Partial<ScheduleStatus>]>([
    ["Allow", [`create ${nameAt(THIRD)}`, "patch", "Normal ScanCreated"], { active: 2, missedRuns: 0 }],
    ["Forbid", ["patch", "Warning RunSkipped"], { active: 1, missedRuns: 1 }],
    [
      "Replace",
      [
        `delete ${nameAt(SECOND)}`,
        `create ${nameAt(THIRD)}`,
        "patch",
        "Normal ScanReplaced",
        "Normal ScanCreated",
      ],
      { active: 1, missedRuns: 0 },
    ],
  ])("a run that is due with %s, while the Scan before runs: %j", (concurrencyPolicy, words, status) => {
    const given = { spec: { concurrencyPolicy }, status: decided(SECOND), scans: [scanOf(SECOND)] };
    const due = plan(THIRD, given);
    expect(wordsOf(due)).toEqual(words);
    expect(statusIn(due)).toMatchObject(status);
    const after = { ...given, status: statusIn(due)! };
    const scans = concurrencyPolicy === "Forbid" ? given.scans : [...given.scans, scanOf(THIRD)];
    expect(wordsOf(plan("2027-01-03T02:30:05Z", { ...after, scans }))).not.toContain(
      `create ${nameAt(THIRD)}`,
    );
  });

  test("past its deadline is missed, and an event and the status say so", () => {
    const late = plan("2027-01-05T12:00:00Z", { status: decided(SECOND) });
    expect(wordsOf(late)).toEqual(["patch", "Warning RunsMissed"]);
    expect(late.notes[0]!.note).toBe("3 runs did not start: no controller could create a Scan in time.");
    expect(statusIn(late)).toMatchObject({ missedRuns: 3, nextScheduleTime: "2027-01-06T02:30:00.000Z" });
    expect(wordsOf(plan("2027-01-05T12:00:01Z", { status: statusIn(late)! }))).toEqual([]);
  });
});

describe("a suspended schedule", () => {
  const suspend = { suspend: true };
  const paused = plan("2027-01-02T12:00:00Z", { spec: suspend, status: decided(SECOND) });

  test("a suspended schedule is ready, starts nothing and has no next run", () => {
    expect(wordsOf(plan(SECOND, { spec: suspend }))).toEqual(["patch"]);
    expect(readyOf(statusIn(paused))).toEqual([["Ready", "True", "Suspended", ""]]);
    expect(statusIn(paused)).not.toHaveProperty("nextScheduleTime");
    expect(paused.nextAt).toBeUndefined();
  });

  test("a suspended schedule that goes on neither starts nor misses the runs of that time", () => {
    const resumed = plan("2027-01-05T02:45:00Z", { status: statusIn(paused)! });
    expect(wordsOf(resumed)).toEqual(["patch"]);
    expect(statusIn(resumed)).toMatchObject({ missedRuns: 0, nextScheduleTime: "2027-01-06T02:30:00.000Z" });
  });
});

describe("a changed time", () => {
  test("applies from when it is seen: a time just before does not start immediately", () => {
    const spec = { schedule: "0 14 * * *" };
    const changed = plan("2027-01-02T14:20:00Z", { spec, status: decided(SECOND) });
    expect(wordsOf(changed)).toEqual(["patch"]);
    expect(statusIn(changed)).toMatchObject({ nextScheduleTime: "2027-01-03T14:00:00.000Z", missedRuns: 0 });
  });
});

describe("a schedule that cannot be used starts nothing and is not ready:", () => {
  test.each<[string, object, string, string]>([
    [
      "six fields",
      { schedule: "0 30 2 * * *" },
      "InvalidSchedule",
      "spec.schedule must have five fields of a cron expression.",
    ],
    [
      "too often",
      { schedule: "* * * * *" },
      "InvalidSchedule",
      "spec.schedule runs more often than every 15 minutes.",
    ],
    ["no run", { schedule: "0 0 30 2 *" }, "InvalidSchedule", "spec.schedule has no run."],
    [
      "an unknown time zone",
      { timeZone: "Mars/Olympus" },
      "InvalidSchedule",
      "spec.timeZone is not the name of a time zone.",
    ],
    [
      "what the API server would not let in",
      { jitterSeconds: -1 },
      "InvalidSchedule",
      "spec.jitterSeconds: Too small: expected number to be >=0.",
    ],
    [
      "a target with a password",
      { scanTemplate: { spec: { url: "https://a:b@shop.example" } } },
      "InvalidTemplate",
      "spec.scanTemplate.spec.url: must not carry a user name or password.",
    ],
  ])("%s", (_, spec, reason, message) => {
    const refused = plan(SECOND, { spec });
    expect(wordsOf(refused)).toEqual(["patch", `Warning ${reason}`]);
    expect(readyOf(statusIn(refused))).toEqual([
      ["Ready", "False", reason, message],
      ["Stalled", "True", reason, message],
    ]);
    expect(refused.notes[0]!.note).toBe(message);
    expect(wordsOf(plan(THIRD, { spec, status: statusIn(refused)! }))).toEqual([]);
  });

  test("once corrected it is ready, and runs before are neither started nor missed", () => {
    const status = statusIn(plan(SECOND, { spec: { schedule: "?" } }))!;
    const corrected = plan("2027-01-03T02:31:00Z", { status });
    expect(wordsOf(corrected)).toEqual(["patch"]);
    expect(readyOf(statusIn(corrected))).toEqual([["Ready", "True", "Scheduled", ""]]);
    expect(statusIn(corrected)).toMatchObject({ missedRuns: 0 });
  });
});

describe("the history", () => {
  const day = (number: number): string => `2027-01-0${number}T02:30:00Z`;
  const scans = [
    scanOf(day(1), "Completed"),
    scanOf(day(2), "Failed"),
    scanOf(day(3), "Completed"),
    scanOf(day(4), "Failed"),
    scanOf(day(5), "Completed"),
    scanOf(day(6)),
  ];
  const status = decided(day(6), { active: 1 });

  test.each([
    [3, 1, [day(2)]],
    [1, 1, [day(3), day(1), day(2)]],
    [0, 0, [day(5), day(3), day(1), day(4), day(2)]],
    [9, 9, []],
  ])("keeps the newest %i completed and %i failed Scans, and all that run", (successful, failed, deleted) => {
    const spec = { successfulHistoryLimit: successful, failedHistoryLimit: failed };
    const words = wordsOf(plan("2027-01-06T03:00:00Z", { spec, status, scans }));
    expect(words.filter((word) => word !== "patch")).toEqual(deleted.map((slot) => `delete ${nameAt(slot)}`));
  });
});

test("a schedule that is being deleted does nothing", () => {
  const { metadata, ...rest } = scheduleResource();
  const schedule = { ...rest, metadata: { ...metadata, deletionTimestamp: SECOND } };
  expect(decideSchedule({ now: at(SECOND), schedule, scans: [] })).toEqual({ actions: [], notes: [] });
});
