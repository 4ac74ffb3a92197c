import { CONCURRENCY_POLICIES } from "@glovebox/contract/schedule";
import type { ScanResource, ScheduleResource } from "@glovebox/k8s";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ScheduleAction, decideSchedule } from "./decide.ts";
import { slotOf } from "./runs.ts";
import { at, scanOf, scheduleResource } from "./testing/schedules.ts";

const STEP_MS = 5 * 60_000;

/** What happens in five minutes: two leaders look, one after the other, and each may be killed after some of its actions. */
const stepOf = fc.record({
  /** How many actions each leader runs; undefined: it does not look. */
  looks: fc.tuple(fc.option(fc.nat(4)), fc.option(fc.nat(4))),
  /** The second leader sees what was before the first one acted. */
  isStale: fc.boolean(),
  ends: fc.option(fc.constantFrom("Completed" as const, "Failed" as const)),
});

/** The cluster: one schedule and its Scans, with the API server's rules for writes. */
class Cluster {
  schedule: ScheduleResource;
  scans: ScanResource[] = [];
  /** Names of all Scans that were ever created, in order. */
  readonly created: string[] = [];
  #version = 1;

  constructor(concurrencyPolicy: (typeof CONCURRENCY_POLICIES)[number]) {
    this.schedule = scheduleResource({ schedule: "*/30 * * * *", concurrencyPolicy });
  }

  /** Runs at most this many actions of the plan for a view. */
  act(view: { schedule: ScheduleResource; scans: ScanResource[] }, now: Date, most: number): void {
    const { actions } = decideSchedule({ ...view, now });
    const isStale = this.schedule.metadata.resourceVersion !== view.schedule.metadata.resourceVersion;
    if (isStale && actions.some((action) => action.do === "createScan")) return;
    for (const action of actions.slice(0, most)) {
      if (action.do === "patchStatus" && isStale) return;
      this.#perform(action);
    }
  }

  #perform(action: ScheduleAction): void {
    if (action.do === "deleteScan")
      this.scans = this.scans.filter(({ metadata }) => metadata.uid !== action.uid);
    if (action.do === "patchStatus") {
      const resourceVersion = String((this.#version += 1));
      const { metadata } = this.schedule;
      this.schedule = { ...this.schedule, metadata: { ...metadata, resourceVersion }, status: action.status };
    }
    if (action.do !== "createScan") return;
    const name = action.scan.metadata.name!;
    if (this.scans.some(({ metadata }) => metadata.name === name)) return;
    this.created.push(name);
    this.scans = [...this.scans, scanOf(slotOf(action.scan as ScanResource)!.toISOString())];
  }

  end(phase: "Completed" | "Failed", now: Date): void {
    this.scans = this.scans.map((scan) =>
      scan.status?.finishedAt ? scan : { ...scan, status: { phase, finishedAt: now.toISOString() } },
    );
  }
}

test("with any crash and any stale leader, no run starts twice, and Forbid and Replace never leave two Scans running", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CONCURRENCY_POLICIES),
      fc.array(stepOf, { minLength: 5, maxLength: 20 }),
      (policy, steps) => {
        const cluster = new Cluster(policy);
        let now = at("2027-01-01T12:00:00Z");
        for (const { looks, isStale, ends } of steps) {
          now = new Date(now.getTime() + STEP_MS);
          if (ends) cluster.end(ends, now);
          const before = { schedule: cluster.schedule, scans: cluster.scans };
          if (looks[0] !== null) cluster.act(before, now, looks[0]);
          const seen = isStale ? before : { schedule: cluster.schedule, scans: cluster.scans };
          if (looks[1] !== null) cluster.act(seen, now, looks[1]);
          const running = cluster.scans.filter(({ status }) => !status?.finishedAt);
          if (policy !== "Allow") expect(running.length).toBeLessThanOrEqual(1);
        }
        expect(new Set(cluster.created).size).toBe(cluster.created.length);
      },
    ),
    { numRuns: 10 },
  );
});

test("a schedule that is looked at once in time starts every run, and its status agrees with its Scans", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 12, maxLength: 60 }), (ends) => {
      const cluster = new Cluster("Allow");
      let now = at("2027-01-01T12:00:00Z");
      for (const isEnd of ends) {
        now = new Date(now.getTime() + STEP_MS);
        if (isEnd) cluster.end("Completed", now);
        cluster.act({ schedule: cluster.schedule, scans: cluster.scans }, now, Infinity);
      }
      expect(cluster.created).toHaveLength(Math.floor((ends.length * STEP_MS) / (30 * 60_000)));
      const { active, missedRuns } = cluster.schedule.status!;
      expect(active).toBe(cluster.scans.filter(({ status }) => !status?.finishedAt).length);
      expect(missedRuns).toBe(0);
    }),
    { numRuns: 5 },
  );
});
