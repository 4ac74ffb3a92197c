import { type Condition, type Reason, REASONS, type ScanStatus } from "@glovebox/k8s";
import { isStep } from "./status.ts";

/** An event on a Scan, without what it is about. */
export interface ScanEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** What is said of a Scan whose status is replaced: the steps that changed, its start, and its end with the result. */
export const eventsOf = (before: ScanStatus | undefined, after: ScanStatus): ScanEvent[] => [
  ...changedSteps(before, after).map(eventOfStep),
  ...(after.startedAt && !before?.startedAt ? [STARTED] : []),
  ...(after.finishedAt && !before?.finishedAt ? completedEvents(after) : []),
];

const STARTED: ScanEvent = {
  type: "Normal",
  reason: "Started",
  action: "Start",
  note: "The Job of the scan was created.",
};

/** A scan that failed has the event of the step that failed. */
function completedEvents({ phase, score, grade, findings }: ScanStatus): ScanEvent[] {
  if (phase !== "Completed") return [];
  const note = `Score ${score}, grade ${grade}, ${findings} ${findings === 1 ? "finding" : "findings"}.`;
  return [{ type: "Normal", reason: "Completed", action: "End", note }];
}

/** Reasons without an event. */
const WITHOUT_EVENT: ReadonlySet<string> = new Set<Reason>(["Resolved", "WaitingForSlot"]);

/** Step conditions that have changed. Summary conditions have no events. */
function changedSteps(before: ScanStatus | undefined, after: ScanStatus): Condition[] {
  const was = (type: string) => before?.conditions?.find((condition) => condition.type === type);
  return (after.conditions ?? [])
    .filter(isStep)
    .filter(
      ({ type, status, reason }) =>
        !WITHOUT_EVENT.has(reason) && (was(type)?.status !== status || was(type)?.reason !== reason),
    );
}

const eventOfStep = ({ type, status, reason, message }: Condition): ScanEvent => ({
  type: status === "True" ? "Normal" : "Warning",
  reason,
  action: type,
  note: message || `${REASONS[reason]}.`,
});
