import { DECISIONS, FINDING_STATUSES, TRANSITIONS } from "@glovebox/domain";
import { describe, expect, test } from "vitest";
import { DECISIONS_OF, readDecision } from "./decisions.ts";

const TODAY = "2026-11-23";

describe("what the page offers to decide about a finding", () => {
  test.each(FINDING_STATUSES)(
    "what the page offers to decide about a finding that is %s is possible",
    (status) => {
      for (const decision of DECISIONS_OF[status]) expect(TRANSITIONS[decision][status]).not.toBeNull();
    },
  );
  test("what the page offers to decide about a finding is everything that changes it, once a finding is active", () => {
    const changing = DECISIONS.filter((decision) => TRANSITIONS[decision].open !== null);
    expect(DECISIONS_OF.open).toEqual(changing);
  });
});

describe("the form of a decision", () => {
  test("the form of a decision to accept needs a reason and a day that has not passed", () => {
    expect(readDecision({ event: "accepted", reason: " ", until: "" }, TODAY)).toEqual({
      problems: {
        reason: "Enter a reason.",
        until: "Enter the day on which the acceptance ends.",
      },
    });
    expect(readDecision({ event: "accepted", reason: "VPN", until: "2026-11-22" }, TODAY)).toEqual({
      problems: { until: "This day has passed." },
    });
  });

  test("the form of a decision to accept until a day accepts through that day", () => {
    expect(readDecision({ event: "accepted", reason: " VPN ", until: "2026-12-31" }, TODAY)).toEqual({
      decision: { event: "accepted", reason: "VPN", expiresAt: "2027-01-01T00:00:00.000Z" },
    });
  });

  test("the form of a decision to mark a false positive or to take back has no day", () => {
    expect(
      readDecision({ event: "markedFalsePositive", reason: "Test data", until: "2020-01-01" }, TODAY),
    ).toEqual({
      decision: { event: "markedFalsePositive", reason: "Test data" },
    });
    expect(readDecision({ event: "reinstated", reason: "Wrong", until: "2020-01-01" }, TODAY)).toEqual({
      decision: { event: "reinstated", reason: "Wrong" },
    });
  });
});
