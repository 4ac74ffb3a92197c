import { describe, expect, it } from "vitest";
import { networkError } from "../transport/network-error.ts";
import { aCheck } from "../testing/samples.ts";
import { pass, type Interruption } from "./check.ts";
import { exhaustionIn, leftOut, notesOnEnd } from "./left-out.ts";
import { REASONS, withoutResponse } from "./reasons.ts";
import type { Result } from "./result.ts";

const subject = { location: { method: "GET", path: "/" } };
const left = (cause: Interruption): Result => leftOut({ check: aCheck(), subject }, cause);
const passed: Result = { check: aCheck(), subject, verdict: pass(), reach: "reached" };
const LIMITS = { maxRequests: 60, deadlineSeconds: 5 };

describe("what a scan left out", () => {
  it("what a scan left out is nothing where every test has a result", () => {
    expect(exhaustionIn([passed])).toBeUndefined();
    expect(notesOnEnd([passed], LIMITS)).toEqual([]);
  });

  it.each([
    ["requests", /limit of 60 requests: 2 tests/],
    ["time", /time limit of 5 seconds: 2 tests/],
  ] as const)(
    "what a scan left out for want of %s is a note on the limit, and no word on the target",
    (of, note) => {
      const cutShort: Result = {
        ...left(of),
        verdict: withoutResponse(networkError(of === "requests" ? "budget" : "deadline")),
      };
      const results = [passed, left(of), cutShort];
      expect(exhaustionIn(results)).toEqual({ of, tests: 2 });
      expect(notesOnEnd(results, LIMITS)).toEqual([expect.stringMatching(note)]);
    },
  );

  it("because responses were cut is a note with the number of tests, and no limit of the scan", () => {
    const results = [passed, left("response_cut"), left("response_cut")];
    expect(exhaustionIn(results)).toBeUndefined();
    const [note, ...others] = notesOnEnd(results, LIMITS);
    expect(note?.startsWith(REASONS.response_cut), note).toBe(true);
    expect(note).toContain("2 tests");
    expect(others).toEqual([]);
  });

  it("because the target stopped responding is not a limit of the scan", () => {
    const results = [left("unresponsive")];
    expect(exhaustionIn(results)).toBeUndefined();
    const [note, ...others] = notesOnEnd(results, LIMITS);
    expect(note?.startsWith(REASONS.unresponsive), note).toBe(true);
    expect(others).toEqual([]);
  });
});
