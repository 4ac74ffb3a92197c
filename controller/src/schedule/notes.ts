import type { RunDecision } from "@glovebox/domain/schedule";
import type { ScanResource, ScheduleReason, ScheduleResource } from "@glovebox/k8s";
import { revisionRunName, runName } from "./runs.ts";

/** An event on a schedule. */
export interface ScheduleNote {
  readonly type: "Normal" | "Warning";
  readonly reason: ScheduleReason | "ScanCreated" | "ScanReplaced" | "RunSkipped" | "RunsMissed";
  readonly note: string;
}

/** What is said of a decision, while these Scans had not ended. */
export function notesOf(
  schedule: ScheduleResource,
  { due, missed }: RunDecision,
  active: readonly ScanResource[],
): ScheduleNote[] {
  const names = active.map(({ metadata }) => metadata.name).join(", ");
  return [...missedNotes(missed), ...(due ? runNotes(schedule, due, names) : [])];
}

function missedNotes(missed: number): ScheduleNote[] {
  if (missed === 0) return [];
  const note = `${missed} run${missed === 1 ? "" : "s"} did not start: no controller could create a Scan in time.`;
  return [{ type: "Warning", reason: "RunsMissed", note }];
}

function runNotes(
  schedule: ScheduleResource,
  { slot, action }: NonNullable<RunDecision["due"]>,
  active: string,
): ScheduleNote[] {
  const at = slot.toISOString();
  if (action === "skip") {
    const note = `The run of ${at} was skipped: the Scan ${active} has not ended, and spec.concurrencyPolicy is Forbid.`;
    return [{ type: "Warning", reason: "RunSkipped", note }];
  }
  const created = `Created the Scan ${runName(schedule, slot)} for the run of ${at}.`;
  const replaced = `Deleted the Scan ${active}, which had not ended, for the run of ${at}.`;
  return [
    ...(action === "replace" ? [{ type: "Normal", reason: "ScanReplaced", note: replaced } as const] : []),
    { type: "Normal", reason: "ScanCreated", note: created },
  ];
}

/** What is said of a revision whose Scan starts, instead of these. */
export function revisionNotes(schedule: ScheduleResource, replaced: readonly ScanResource[]): ScheduleNote[] {
  const name = revisionRunName(schedule);
  const created = `Created the Scan ${name} for the revision ${JSON.stringify(schedule.spec.revision)}.`;
  const names = replaced.map(({ metadata }) => metadata.name).join(", ");
  const deleted = `Deleted the Scan ${names}, which had not ended, for the new revision.`;
  return [
    ...(replaced.length > 0 ? [{ type: "Normal", reason: "ScanReplaced", note: deleted } as const] : []),
    { type: "Normal", reason: "ScanCreated", note: created },
  ];
}
