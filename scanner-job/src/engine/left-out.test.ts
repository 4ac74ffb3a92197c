import { describe, expect, it } from "vitest";
import { aCheck } from "../testing/samples.ts";
import { pass } from "./check.ts";
import { INTERRUPTIONS, UNAFFORDABLE, exhaustionIn, leftOut, notesOnEnd } from "./left-out.ts";
import type { Result } from "./runner.ts";

const subject = { location: { method: "GET", path: "/" } };
const left = (reason: string): Result => leftOut({ check: aCheck(), subject }, reason);
const passed: Result = { check: aCheck(), subject, verdict: pass(), reach: "reached" };
const LIMITS = { maxRequests: 60, deadlineSeconds: 5 };

describe("what a scan left out", () => {
  it("is nothing where every test has a result", () => {
    expect(exhaustionIn([passed])).toBeUndefined();
    expect(notesOnEnd([passed], LIMITS)).toEqual([]);
  });

  it.each([
    ["requests", UNAFFORDABLE.requests, /limit of 60 requests: 2 tests/],
    ["requests", "The scan's request budget is used up.", /limit of 60 requests: 2 tests/],
    ["time", UNAFFORDABLE.time, /time limit of 5 seconds: 2 tests/],
    ["time", "The scan's deadline has passed.", /time limit of 5 seconds: 2 tests/],
  ])("for want of %s is a note on the limit, and no word on the target", (of, reason, note) => {
    const results = [passed, left(reason), left(reason)];
    expect(exhaustionIn(results)).toEqual({ of, tests: 2 });
    expect(notesOnEnd(results, LIMITS)).toEqual([expect.stringMatching(note)]);
  });

  it("because the target stopped answering is no limit of the scan", () => {
    const results = [left(INTERRUPTIONS.unresponsive)];
    expect(exhaustionIn(results)).toBeUndefined();
    expect(notesOnEnd(results, LIMITS)).toEqual([expect.stringMatching(/^The target stopped answering/)]);
  });
});
