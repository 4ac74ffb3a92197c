import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  FINDING_EVENTS,
  MAX_ACCEPTANCE_DAYS,
  TRANSITIONS,
  decisionRequestSchema,
  expiryProblem,
  isDecision,
  isInForce,
  isMarkStatus,
  markInForce,
  transition,
  type FindingEvent,
  type Happening,
  type Mark,
  type TriageState,
} from "./triage.ts";
import { FINDING_STATUSES, type FindingStatus } from "./finding-statuses.ts";

const mark = { reason: "Behind the VPN", expiresAt: "2027-01-31T00:00:00Z", by: "ann" };
const stateOf = (status: FindingStatus): TriageState =>
  isMarkStatus(status) ? { status, mark: { ...mark, status } } : { status };
const happeningOf = (event: FindingEvent): Happening =>
  event === "accepted" || event === "markedFalsePositive" ? { event, mark } : { event };

describe("a finding", () => {
  test.each<[string, FindingStatus, FindingEvent, FindingStatus | undefined]>([
    ["that was fixed and is seen again is reopened", "fixed", "seen", "reopened"],
    ["that is open and seen again stays open", "open", "seen", "open"],
    ["that passes where it was tested again is fixed", "open", "passed", "fixed"],
    ["that was reopened and passes is fixed", "reopened", "passed", "fixed"],
    ["that was accepted and is seen again stays accepted", "accepted", "seen", "accepted"],
    ["that was accepted at a lower severity is reopened", "accepted", "seenWorse", "reopened"],
    ["that was accepted and passes is fixed", "accepted", "passed", "fixed"],
    ["whose acceptance expires is open", "accepted", "expired", "open"],
    ["that is a false positive stays one when it passes", "falsePositive", "passed", "falsePositive"],
    ["that is a false positive stays one when it gets worse", "falsePositive", "seenWorse", "falsePositive"],
    ["that is fixed cannot be accepted", "fixed", "accepted", undefined],
    ["that is open cannot be reinstated", "open", "reinstated", undefined],
    ["that is accepted and reinstated is open", "accepted", "reinstated", "open"],
    ["that is open cannot expire", "open", "expired", undefined],
  ])("%s", (_, from, event, to) => {
    expect(transition(stateOf(from), happeningOf(event))?.state.status).toBe(to);
  });

  test("a finding that is accepted again has the new reason and date, and its history says so", () => {
    const renewed = { reason: "Until the release", expiresAt: "2027-03-01T00:00:00Z", by: "bob" };
    expect(transition(stateOf("accepted"), { event: "accepted", mark: renewed })).toEqual({
      state: { status: "accepted", mark: { ...renewed, status: "accepted" } },
      isRecorded: true,
    });
  });
});

describe("after any events of a finding", () => {
  const happenings = fc.array(fc.constantFrom(...FINDING_EVENTS).map(happeningOf), { maxLength: 30 });

  test("it has a mark if and only if its status is the status of the mark", () => {
    fc.assert(
      fc.property(happenings, (all) => {
        let state: TriageState = { status: "open" };
        for (const happening of all) {
          state = transition(state, happening)?.state ?? state;
          expect(state.mark?.status).toBe(isMarkStatus(state.status) ? state.status : undefined);
        }
      }),
    );
  });

  test("its history alone leads to its state, without a gap", () => {
    fc.assert(
      fc.property(happenings, (all) => {
        let state: TriageState = { status: "open" };
        const history: { happening: Happening; from: FindingStatus; to: FindingStatus }[] = [];
        for (const happening of all) {
          const result = transition(state, happening);
          if (!result) continue;
          if (result.isRecorded) history.push({ happening, from: state.status, to: result.state.status });
          state = result.state;
        }
        let told: TriageState = { status: "open" };
        for (const { happening, from, to } of history) {
          expect(told.status).toBe(from);
          told = transition(told, happening)!.state;
          expect(told.status).toBe(to);
        }
        expect(told).toEqual(state);
      }),
    );
  });

  test("only people give it a mark, and no scan takes away a false positive", () => {
    const byScans = FINDING_EVENTS.filter((event) => !isDecision(event)).flatMap((event) =>
      FINDING_STATUSES.flatMap((from) => {
        const to = TRANSITIONS[event][from];
        return to === null ? [] : [{ event, from, to }];
      }),
    );
    expect(byScans.filter(({ from, to }) => isMarkStatus(to) && from !== to)).toEqual([]);
    const ofFalsePositives = byScans.filter(({ from }) => from === "falsePositive");
    expect(new Set(ofFalsePositives.map(({ to }) => to))).toEqual(new Set(["falsePositive"]));
  });
});

test("a mark is in force until the moment that it expires, and without a moment always", () => {
  const expiring: Mark = { status: "accepted", reason: "Known", expiresAt: "2027-01-31T00:00:00Z" };
  const lasting: Mark = { status: "falsePositive", reason: "A honeypot" };
  expect(isInForce(expiring, new Date("2027-01-30T23:59:59.999Z"))).toBe(true);
  const then = new Date("2027-01-31T00:00:00Z");
  expect(isInForce(expiring, then)).toBe(false);
  const marks = new Map([
    ["a", expiring],
    ["b", lasting],
  ]);
  expect(["a", "b", "c"].map((id) => markInForce(marks, id, then))).toEqual([undefined, lasting, undefined]);
});

describe("the date of an acceptance", () => {
  const at = new Date("2026-11-23T12:00:00Z");
  test.each<[string, string, string | undefined]>([
    ["of tomorrow is right", "2026-11-24T12:00:00Z", undefined],
    ["of the last day that the role allows is right", "2027-02-21T12:00:00Z", undefined],
    ["of the day after that is refused", "2027-02-21T12:00:01Z", "must be within 90 days"],
    ["of this moment is refused", "2026-11-23T12:00:00Z", "must be in the future"],
  ])("%s", (_, expiresAt, expected) => {
    const decision = decisionRequestSchema.parse({ event: "accepted", reason: "Known", expiresAt });
    expect(expiryProblem(decision, { at, maxDays: MAX_ACCEPTANCE_DAYS.member })).toBe(expected);
  });

  test.each([
    ["an acceptance without a date", { event: "accepted", reason: "Known" }],
    [
      "an acceptance without a reason",
      { event: "accepted", reason: "  ", expiresAt: "2026-11-24T12:00:00Z" },
    ],
    ["a false positive without a reason", { event: "markedFalsePositive" }],
    ["what scans say", { event: "passed", reason: "Known" }],
  ])("%s is not a decision", (_, request) => {
    expect(decisionRequestSchema.safeParse(request).success).toBe(false);
  });
});
