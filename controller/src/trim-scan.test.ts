import type { ScanStatus } from "@glovebox/k8s";
import { expect, test } from "vitest";
import { decide } from "./scan/decide.ts";
import { at, completeJob, scanResource, world } from "./scan/testing/worlds.ts";
import { trimScan } from "./trim-scan.ts";

const status: ScanStatus = {
  phase: "Completed",
  scanId: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
  attempt: 1,
  startedAt: at(1).toISOString(),
  score: 88,
  conditions: [
    {
      type: "Accepted",
      status: "True",
      reason: "Charged",
      message: "",
      lastTransitionTime: at(1).toISOString(),
    },
  ],
};
const ended = { ...status, finishedAt: at(9).toISOString() };

test("a Scan that has not ended is held as it is", () => {
  const scan = scanResource(status);
  expect(trimScan(scan)).toBe(scan);
});

test("of a Scan that has ended no more status is held than when it began and ended", () => {
  const { phase, startedAt, finishedAt } = ended;
  expect(trimScan(scanResource(ended)).status).toEqual({ phase, startedAt, finishedAt });
});

test.each([
  ["with an attempt left", { attempts: [completeJob()] }],
  ["whose time has come", { now: at(1_000_000) }],
  ["that waits for its time", {}],
  ["that is deleted", { isDeleted: true }],
])("a Scan that has ended, %s, is decided on alike", (_, changes) => {
  const whole = scanResource(ended);
  expect(decide(world({ ...changes, scan: trimScan(whole) }))).toEqual(
    decide(world({ ...changes, scan: whole })),
  );
});
