import { timingSchema } from "@glovebox/contract/schedule";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideRun, timingError, type Schedule } from "./schedule.ts";

const at = (text: string): Date => new Date(text);
const scheduleOf = (over: Partial<Schedule> & Pick<Schedule, "schedule">): Schedule => ({
  id: "nightly",
  ...timingSchema.parse(over),
});

describe("what is refused", () => {
  test.each([
    ["30 2 * * *", "Europe/Berlin", undefined],
    ["0 3 * * 1-5", "Etc/UTC", undefined],
    ["*/15 * * * *", "Etc/UTC", undefined],
    ["0 0 29 2 *", "Etc/UTC", undefined],
    ["0 30 2 * * *", "Etc/UTC", "must have five fields of a cron expression"],
    ["@daily", "Etc/UTC", "must have five fields of a cron expression"],
    ["? ? * * *", "Etc/UTC", "must have five fields of a cron expression"],
    ["0 2 * *", "Etc/UTC", "must have five fields of a cron expression"],
    ["61 2 * * *", "Etc/UTC", "is not a cron expression"],
    ["0 0 30 2 *", "Etc/UTC", "has no run"],
    ["*/14 * * * *", "Etc/UTC", "runs more often than every 15 minutes"],
    ["0,1 0 1 1 *", "Etc/UTC", "runs more often than every 15 minutes"],
    ["0,59 0,23 * * *", "Etc/UTC", "runs more often than every 15 minutes"],
    ["0 0 * * *", "Mars/Olympus", "is not the name of a time zone"],
    ["0 0 * * *", "+02:00", "is not the name of a time zone"],
    ["0 0 * * *", "", "is not the name of a time zone"],
  ])("%j in %j: %j", (schedule, timeZone, error) => {
    expect(timingError({ schedule, timeZone }, at("2027-01-01T00:00:00Z"), 15)?.error).toBe(error);
  });

  test("any text is refused or has a next run, and nothing is thrown", () => {
    const field = fc.stringMatching(/^[0-9*,/LW#A-Z-]{1,6}$/);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(field, { minLength: 4, maxLength: 6 }).map((all) => all.join(" ")),
        ),
        (schedule) => {
          const now = at("2027-01-01T00:00:00Z");
          const timing = { schedule, timeZone: "Europe/Berlin" };
          if (timingError(timing, now, 15)) return;
          expect(decideRun(scheduleOf(timing), { after: now, now, isRunning: false }).nextAt).not.toBeNull();
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("the next run", () => {
  test.each([
    ["in summer", "2027-06-01T12:00:00Z", "2027-06-02T00:30:00.000Z"],
    ["in winter", "2027-01-01T12:00:00Z", "2027-01-02T01:30:00.000Z"],
    ["in the hour that the clock skips", "2027-03-27T12:00:00Z", "2027-03-28T01:00:00.000Z"],
    ["after that hour, the next night", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00.000Z"],
    ["in the hour that the clock repeats, once", "2027-10-30T12:00:00Z", "2027-10-31T00:30:00.000Z"],
    ["after that hour, the next night", "2027-10-31T00:30:00Z", "2027-11-01T01:30:00.000Z"],
  ])("the next run of 02:30 in Berlin: %s", (_when, after, next) => {
    const schedule = scheduleOf({ schedule: "30 2 * * *", timeZone: "Europe/Berlin" });
    expect(decideRun(schedule, { after: at(after), now: at(after), isRunning: false }).nextAt).toEqual(
      at(next),
    );
  });
});

describe("what is due", () => {
  const hourly = scheduleOf({ schedule: "0 * * * *", startingDeadlineSeconds: 600 });
  const noon = at("2027-01-01T12:00:00Z");
  const decide = (over: Partial<Schedule>, now: string, isRunning = false) =>
    decideRun({ ...hourly, ...over }, { after: noon, now: at(now), isRunning });

  test.each<[string, Partial<Schedule>, string, boolean, object]>([
    ["nothing before the hour", {}, "2027-01-01T12:59:59Z", false, { missed: 0 }],
    ["the run of the hour", {}, "2027-01-01T13:00:00Z", false, { missed: 0, due: { action: "start" } }],
    ["within its deadline", {}, "2027-01-01T13:10:00Z", false, { missed: 0, due: { action: "start" } }],
    ["past its deadline it is missed", {}, "2027-01-01T13:10:01Z", false, { missed: 1 }],
    [
      "after an outage the latest one alone",
      {},
      "2027-01-01T17:05:00Z",
      false,
      { missed: 4, due: { slot: at("2027-01-01T17:00:00Z") } },
    ],
    ["Forbid skips it while another runs", {}, "2027-01-01T13:00:00Z", true, { due: { action: "skip" } }],
    [
      "Allow starts it beside the other",
      { concurrencyPolicy: "Allow" },
      "2027-01-01T13:00:00Z",
      true,
      { due: { action: "start" } },
    ],
    [
      "Replace ends the other",
      { concurrencyPolicy: "Replace" },
      "2027-01-01T13:00:00Z",
      true,
      { due: { action: "replace" } },
    ],
    ["after a year a hundred are missed at most", {}, "2028-01-01T13:30:00Z", false, { missed: 100 }],
  ])("%s", (_name, over, now, isRunning, expected) => {
    const decision = decide(over, now, isRunning);
    expect(decision).toMatchObject(expected);
    if (!("due" in expected)) expect(decision.due).toBeUndefined();
  });

  test("a suspended schedule starts nothing, misses nothing, and forgets the runs of that time", () => {
    const suspended = decide({ suspend: true }, "2027-01-01T17:05:00Z");
    expect(suspended).toMatchObject({ missed: 0, decidedUntil: at("2027-01-01T17:00:00Z") });
    expect(suspended.due).toBeUndefined();
  });
});

test("however often it is decided, each run is started, skipped or missed exactly once", () => {
  const steps = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 40 });
  const policy = fc.constantFrom("Allow" as const, "Forbid" as const);
  fc.assert(
    fc.property(
      steps,
      policy,
      fc.boolean(),
      fc.integer({ min: 0, max: 600 }),
      (seconds, concurrencyPolicy, isRunning, jitterSeconds) => {
        const schedule = scheduleOf({
          ...{ schedule: "*/15 * * * *", concurrencyPolicy, jitterSeconds, startingDeadlineSeconds: 900 },
        });
        const start = at("2027-03-27T22:00:00Z");
        let [after, now, counted] = [start, start, 0];
        const slots: number[] = [];
        for (const step of seconds) {
          now = new Date(now.getTime() + step * 1000);
          const decision = decideRun(schedule, { after, now, isRunning });
          expect(decision.decidedUntil.getTime()).toBeGreaterThanOrEqual(after.getTime());
          expect(decision.nextAt!.getTime()).toBeGreaterThan(now.getTime());
          counted += decision.missed + (decision.due ? 1 : 0);
          if (decision.due) slots.push(decision.due.slot.getTime());
          after = decision.decidedUntil;
        }
        const passed = Math.floor(after.getTime() / 900_000) - Math.floor(start.getTime() / 900_000);
        expect(counted).toBe(passed);
        expect(new Set(slots).size).toBe(slots.length);
      },
    ),
  );
});
