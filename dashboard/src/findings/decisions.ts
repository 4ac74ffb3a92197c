import type { Decision, DecisionRequest, FindingEvent, FindingStatus } from "@glovebox/domain";
import { endOfDay } from "../parts/time.ts";

export const DECISION_LABELS: Record<Decision, string> = {
  accepted: "Accept the risk",
  markedFalsePositive: "Mark as a false positive",
  reinstated: "Reopen",
};

/** What the history says of each event. */
export const EVENT_LABELS: Record<FindingEvent, string> = {
  seen: "Seen by a scan",
  seenWorse: "Seen with a higher severity",
  passed: "Tested again and not found",
  expired: "Acceptance expired",
  accepted: "Risk accepted",
  markedFalsePositive: "Marked as a false positive",
  reinstated: "Reopened by a user",
};

/** What can be decided about a finding of a status. */
export const DECISIONS_OF: Record<FindingStatus, readonly Decision[]> = {
  open: ["accepted", "markedFalsePositive"],
  reopened: ["accepted", "markedFalsePositive"],
  accepted: ["accepted", "markedFalsePositive", "reinstated"],
  falsePositive: ["accepted", "reinstated"],
  fixed: ["markedFalsePositive"],
};

/** The fields of the form of a decision, as typed. */
export interface DecisionForm {
  readonly event: Decision;
  readonly reason: string;
  /** A day such as `2027-01-31`, or nothing. */
  readonly until: string;
}

/** The decision that the form states, or what is wrong with each field. */
export function readDecision(
  { event, reason, until }: DecisionForm,
  today: string,
): { decision: DecisionRequest } | { problems: { reason?: string; until?: string } } {
  const said = reason.trim();
  const problems = {
    ...(said === "" && { reason: "Enter a reason." }),
    ...(event === "accepted" && until === "" && { until: "Enter the day on which the acceptance ends." }),
    ...(event === "accepted" && until !== "" && until < today && { until: "This day has passed." }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  return {
    decision:
      event === "accepted" ? { event, reason: said, expiresAt: endOfDay(until) } : { event, reason: said },
  };
}
