import type { ScanResource, ScheduleSpec, ScheduleStatus } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decideSchedule, type SchedulePlan } from "./decide.ts";
import { revisionRunName } from "./runs.ts";
import { at, decided, scanOf, scheduleResource, statusIn, wordsOf } from "./testing/schedules.ts";

interface Given {
  readonly spec?: Partial<ScheduleSpec>;
  readonly status?: ScheduleStatus;
  readonly scans?: readonly ScanResource[];
}

const SLOT = "2027-01-02T02:30:00Z";
const NEXT_SLOT = "2027-01-03T02:30:00Z";
const LATER = "2027-01-02T12:00:00Z";
const REVISION = { revision: "9f2c1ab" };

const plan = (
  now: string,
  { spec = REVISION, status = decided(SLOT), scans = [] }: Given = {},
): SchedulePlan => decideSchedule({ now: at(now), schedule: scheduleResource(spec, status), scans });
const NAME = revisionRunName(scheduleResource(REVISION));
const ofRevision = (phase?: "Completed"): ScanResource => {
  const scan = scanOf(LATER, phase);
  return { ...scan, metadata: { ...scan.metadata, name: NAME } };
};

describe("a new revision", () => {
  test("starts a Scan immediately, named after the schedule and the revision, and the times of the schedule stay", () => {
    const due = plan(LATER);
    expect(wordsOf(due)).toEqual([`create ${NAME}`, "patch", "Normal ScanCreated"]);
    expect(due.notes[0]!.note).toBe(`Created the Scan ${NAME} for the revision "9f2c1ab".`);
    expect(statusIn(due)).toMatchObject({
      ...{ observedRevision: "9f2c1ab", lastRevisionTime: at(LATER).toISOString(), active: 1 },
      ...{ lastScheduleTime: at(SLOT).toISOString(), nextScheduleTime: at(NEXT_SLOT).toISOString() },
    });
    expect(due.nextAt).toEqual(at(NEXT_SLOT));
  });

  test("a new revision that was scanned starts nothing more", () => {
    const status = statusIn(plan(LATER))!;
    expect(wordsOf(plan("2027-01-02T13:00:00Z", { status, scans: [ofRevision()] }))).toEqual([]);
  });

  test("a new revision whose Scan was created and whose status was never written starts no second one", () => {
    const again = plan(LATER, { scans: [ofRevision()] });
    expect(wordsOf(again)).toEqual(["patch"]);
    expect(statusIn(again)).toMatchObject({ observedRevision: "9f2c1ab", active: 1 });
  });

  test("a new revision that comes back later is scanned again", () => {
    const status = decided(SLOT, { observedRevision: "0000000" });
    const { metadata, ...schedule } = scheduleResource(REVISION, status);
    const later = { ...schedule, metadata: { ...metadata, generation: 7 } };
    expect(revisionRunName(later)).not.toBe(NAME);
    const { actions } = decideSchedule({ now: at(LATER), schedule: later, scans: [ofRevision("Completed")] });
    expect(actions[0]).toMatchObject({
      do: "createScan",
      scan: { metadata: { name: revisionRunName(later) } },
    });
  });

  test("waits until 15 minutes after the run before", () => {
    const early = plan("2027-01-02T02:40:00Z");
    expect(wordsOf(early)).toEqual(["patch"]);
    expect(statusIn(early)?.observedRevision).toBeUndefined();
    expect(early.nextAt).toEqual(at("2027-01-02T02:45:00Z"));
    expect(wordsOf(plan("2027-01-02T02:45:00Z"))).toContain(`create ${NAME}`);
    const status = decided(SLOT, { observedRevision: "0", lastRevisionTime: "2027-01-02T11:50:00.000Z" });
    expect(plan(LATER, { status }).nextAt).toEqual(at("2027-01-02T12:05:00Z"));
  });

  test.each<[ScheduleSpec["concurrencyPolicy"], string[]]>([
    ["Allow", [`create ${NAME}`, "patch", "Normal ScanCreated"]],
    ["Forbid", ["patch"]],
    [
      "Replace",
      [
        `delete ${scanOf(SLOT).metadata.name}`,
        `create ${NAME}`,
        "patch",
        "Normal ScanReplaced",
        "Normal ScanCreated",
      ],
    ],
  ])("while a Scan runs is decided by the policy %s", (concurrencyPolicy, expected) => {
    const during = plan(LATER, { spec: { ...REVISION, concurrencyPolicy }, scans: [scanOf(SLOT)] });
    expect(wordsOf(during)).toEqual(expected);
    if (concurrencyPolicy !== "Forbid") return;
    const afterwards = plan(LATER, {
      spec: { ...REVISION, concurrencyPolicy },
      scans: [scanOf(SLOT, "Completed")],
    });
    expect(wordsOf(afterwards)).toContain(`create ${NAME}`);
  });

  test("a new revision at the time of a run is scanned by that run alone", () => {
    const due = plan(NEXT_SLOT);
    expect(wordsOf(due).filter((word) => word.startsWith("create"))).toHaveLength(1);
    expect(statusIn(due)).toMatchObject({ observedRevision: "9f2c1ab", active: 1 });
  });

  test("a new revision of a suspended schedule waits until it is resumed", () => {
    const during = plan(LATER, { spec: { ...REVISION, suspend: true } });
    expect(wordsOf(during)).toEqual(["patch"]);
    expect(wordsOf(plan(LATER, { status: statusIn(during)! }))).toContain(`create ${NAME}`);
  });

  test("a new revision that is too long is refused with the field", () => {
    const [, note] = wordsOf(plan(LATER, { spec: { revision: "x".repeat(201) } }));
    expect(note).toBe("Warning InvalidSchedule");
  });
});
