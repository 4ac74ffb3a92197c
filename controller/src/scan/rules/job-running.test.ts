import { scanFailure } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { nameOfAction } from "../plan.ts";
import { statusWritten } from "../testing/plans.ts";
import { START, at, settings, withJob, world } from "../testing/worlds.ts";

const { nodeLostSeconds } = settings;

describe("a node", () => {
  const attempts = [withJob({}, [{ isRunning: true, lostSince: START }])];
  test("a node that is silent for a while may come back", () => {
    expect(decide(world({ attempts, now: at(nodeLostSeconds) })).rule).toBe("jobRunning");
  });

  test("a node that stays silent loses the scan to a new attempt", () => {
    expect(decide(world({ attempts, now: at(nodeLostSeconds + 1) }))).toMatchObject({
      rule: "nodeLost",
      actions: [
        { do: "patchStatus", status: { attempt: 2 } },
        { do: "deleteAttempt", attempt: 1 },
      ],
    });
  });
});

describe("a running Job", () => {
  test("makes the scan running, and is looked at again when its next bound is due", () => {
    const pod = { isRunning: true, lostSince: START };
    expect(decide(world({ attempts: [withJob({}, [pod])], followedAttempt: 1 }))).toMatchObject({
      actions: [{ do: "patchStatus", status: { phase: "Running", attempt: 1 } }],
      requeueAfterSeconds: nodeLostSeconds - 10 + 1,
    });
  });

  test("a running Job whose status says so already costs no write", () => {
    const status = statusWritten(world({ attempts: [withJob()] }))!;
    expect(decide(world({ attempts: [withJob()], status }))).toMatchObject({
      actions: [],
      requeueAfterSeconds: expect.any(Number),
    });
  });

  test("a running Job of a later attempt than the status knows is the attempt at hand", () => {
    const input = world({ attempts: [withJob({}, [{}], 2)], status: { attempt: 1, phase: "Pending" } });
    expect(decide(input).actions[0]).toMatchObject({ do: "patchStatus", status: { attempt: 2 } });
  });
});

describe("the progress of a running scan", () => {
  const running = withJob({}, [{ isRunning: true }], 2);
  const follows = (changes: Parameters<typeof world>[0]) =>
    decide(world(changes)).actions.filter((action) => nameOfAction(action) === "followProgress");

  test("the progress of a running scan is followed from the start of its container on, once for each attempt", () => {
    const follow = { do: "followProgress", attempt: 2 };
    expect(follows({ attempts: [withJob({}, [{}], 2)] })).toEqual([]);
    expect(follows({ attempts: [running] })).toEqual([follow]);
    expect(follows({ attempts: [running], followedAttempt: 1 })).toEqual([follow]);
    expect(follows({ attempts: [running], followedAttempt: 2 })).toEqual([]);
  });

  test("the progress of a running scan is of no interest once the scan has ended", () => {
    const row = { state: "failed", failure: scanFailure("cancelled") } as const;
    expect(follows({ attempts: [running], row })).toEqual([]);
  });
});
