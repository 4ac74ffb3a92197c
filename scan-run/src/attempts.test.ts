import { describe, expect, test } from "vitest";
import { failureOf, isRetried, MAX_ATTEMPTS, type AttemptEnd } from "./attempts.ts";

describe("a failed attempt", () => {
  test.each<[AttemptEnd, string, boolean]>([
    ["crashed", "scanner_crashed", true],
    ["exhausted", "target_crashed_scanner", true],
    ["lost", "result_lost", true],
    ["isolationLost", "seal_broken", true],
    ["malformed", "report_malformed", false],
    ["overran", "deadline_exceeded", false],
  ])("a failed attempt that %s fails the scan with %s, and is retried: %s", (how, code, retried) => {
    expect(failureOf({ how }).code).toBe(code);
    expect(isRetried({ how }, 1)).toBe(retried);
    expect(isRetried({ how }, MAX_ATTEMPTS)).toBe(false);
  });

  test("keeps its detail behind the message of its code", () => {
    expect(failureOf({ how: "lost", detail: "Its pod was evicted." }).message).toBe(
      "The scanner's report was incomplete. Its pod was evicted.",
    );
  });

  test("counts against the limit that the launcher has", () => {
    expect(isRetried({ how: "crashed" }, 4, 5)).toBe(true);
    expect(isRetried({ how: "crashed" }, 5, 5)).toBe(false);
  });
});
