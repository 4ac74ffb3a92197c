import { scanFailure, isolationFailure } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import { expect, test } from "vitest";
import { eventsOf } from "./events.ts";
import { statusWritten } from "./testing/plans.ts";
import { isolated, withJob, world } from "./testing/worlds.ts";
import type { World } from "./world.ts";

const after = (input: World): ScanStatus => statusWritten(input)!;
const said = (before: ScanStatus | undefined, status: ScanStatus): string[] =>
  eventsOf(before, status).map(({ type, reason, note }) => `${type} ${reason}: ${note}`);

const accepted = after(world({ slot: "waiting" }));
const running = after(world({ attempts: [withJob({}, [{ isRunning: true }])], status: accepted }));
const ended = (row: World["row"]): ScanStatus => after(world({ row, status: running }));

test("a Scan that is accepted, and waits for its turn, has the event of the charge", () => {
  expect(said(undefined, accepted)).toEqual(["Normal Charged: The account was found and charged."]);
});

test("a Scan whose Job is created has started, once", () => {
  const started = after(world({ attempts: [isolated()], status: accepted }));
  expect(said(accepted, { ...started, startedAt: "2026-11-21T12:00:10Z" })).toContain(
    "Normal Started: The Job of the scan was created.",
  );
  const again = { ...started, startedAt: "2026-11-21T12:00:10Z" };
  expect(said(again, { ...again, attempt: 2 })).toEqual([]);
});

test.each([
  [1, "Normal Completed: Score 88, grade B, 1 finding."],
  [3, "Normal Completed: Score 88, grade B, 3 findings."],
])("a Scan that completes with %i findings has its score and grade in an event", (findings, event) => {
  const status = ended({ state: "completed", score: 88, grade: "B", findings });
  expect(said(running, status)).toContain(event);
  expect(said(status, status)).toEqual([]);
});

test("a Scan that fails has the reason in a warning, and no event of completion", () => {
  const failure = scanFailure("target_timeout");
  const events = said(running, ended({ state: "failed", failure }));
  expect(events).toContain(`Warning TargetFailed: ${failure.message}`);
  expect(events.join()).not.toContain("Completed");
});

test("a Scan whose isolation is not proven has a warning of that step", () => {
  const failure = isolationFailure("CanaryReachable");
  const events = eventsOf(running, ended({ state: "failed", failure }));
  expect(events).toContainEqual({
    type: "Warning",
    reason: "CanaryReachable",
    action: "IsolationProven",
    note: failure.message,
  });
});
