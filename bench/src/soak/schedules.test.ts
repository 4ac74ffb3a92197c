import type { ScheduleRun } from "@glovebox/contract/schedules";
import { describe, expect, test } from "vitest";
import type { SoakSchedule } from "./facts.ts";
import { cronFrom, dueTimes, wrongRuns } from "./schedules.ts";

const at = (time: string): number => Date.parse(`2026-11-24T${time}Z`);
const runAt = (time: string | null, over: Partial<ScheduleRun> = {}): ScheduleRun => ({
  scheduledAt: time === null ? null : new Date(at(time)).toISOString(),
  decidedAt: "2026-11-24T12:20:02.000Z",
  ...{ outcome: "started", missed: 0, code: null, reason: null, scanId: null, scanStatus: null, grade: null },
  ...over,
});
const schedule = (over: Partial<SoakSchedule> = {}): SoakSchedule => ({
  ...{ id: "1", account: "enterprise-1", minute: 4, createdAt: at("12:01:30"), suspendedAt: at("12:31:40") },
  runs: [runAt("12:19:00"), runAt("12:04:00")],
  ...over,
});

test.each([
  [4, "4,19,34,49 * * * *"],
  [0, "0,15,30,45 * * * *"],
  [59, "14,29,44,59 * * * *"],
])("a schedule from minute %d has the expression %j", (minute, cron) => {
  expect(cronFrom(minute)).toBe(cron);
});

test("a schedule is due every 15 minutes between its creation and its suspension", () => {
  expect(dueTimes(schedule())).toEqual([at("12:04:00"), at("12:19:00")]);
  expect(dueTimes(schedule({ createdAt: at("12:04:00") }))).toEqual([at("12:19:00")]);
});

describe("the runs of a schedule", () => {
  test.each<[string, Partial<SoakSchedule>]>([
    ["once each", {}],
    ["the last one too shortly before the suspension to be expected", { suspendedAt: at("12:34:10") }],
    [
      "the last one just before the suspension, and started",
      {
        suspendedAt: at("12:34:10"),
        runs: [runAt("12:34:00"), runAt("12:19:00"), runAt("12:04:00")],
      },
    ],
  ])("%s: right", (_name, over) => {
    expect(wrongRuns(schedule(over))).toEqual([]);
  });

  test.each<[string, readonly ScheduleRun[], string]>([
    ["one is missing", [runAt("12:04:00")], "12:19:00.000Z has no run"],
    ["one twice", [runAt("12:19:00"), runAt("12:04:00"), runAt("12:04:00")], "12:04:00.000Z ran twice"],
    [
      "one of no due time",
      [runAt("12:19:00"), runAt("12:07:00"), runAt("12:04:00")],
      "12:07:00.000Z ran without being due",
    ],
    [
      "one was skipped",
      [
        runAt("12:19:00", { outcome: "skipped", reason: "The previous scan had not ended." }),
        runAt("12:04:00"),
      ],
      "skipped, The previous scan had not ended.",
    ],
    [
      "one was missed",
      [runAt("12:19:00"), runAt(null, { outcome: "missed", missed: 1 }), runAt("12:04:00")],
      "missed",
    ],
  ])("%s: reported", (_name, runs, sentence) => {
    expect(wrongRuns(schedule({ runs })).join("\n")).toContain(sentence);
  });
});
