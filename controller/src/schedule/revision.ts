import type { ScanResource, ScheduleSpec, ScheduleStatus } from "@glovebox/k8s";
import type { ScheduleWorld } from "./decide.ts";
import { revisionNotes, type ScheduleNote } from "./notes.ts";
import { MIN_MINUTES, revisionRunName } from "./runs.ts";

export interface RevisionDecision {
  /** The name of its Scan, if that starts now. */
  readonly created: readonly string[];
  /** Scans that are deleted first. */
  readonly replaced: readonly ScanResource[];
  readonly notes: readonly ScheduleNote[];
  /** When it may start, where it is too close to the run before. */
  readonly waitsUntil?: Date;
  /** Fields of the status that change. */
  readonly status: Pick<ScheduleStatus, "observedRevision" | "lastRevisionTime">;
}

const NOTHING: RevisionDecision = { created: [], replaced: [], notes: [], status: {} };

interface Runs {
  readonly policy: ScheduleSpec["concurrencyPolicy"];
  /** The Scans of the schedule that have not ended. */
  readonly active: readonly ScanResource[];
  /** A run of the schedule starts now: it also scans the revision. */
  readonly hasRun: boolean;
}

/**
 * Whether the revision in the spec starts a Scan. While one may not start (Forbid, or less than the least interval after the
 * run before) the revision waits, and only the last of several is scanned.
 */
export function decideRevision(world: ScheduleWorld, { policy, active, hasRun }: Runs): RevisionDecision {
  const { schedule, now, scans } = world;
  const { revision } = schedule.spec;
  if (revision === undefined || revision === schedule.status?.observedRevision) return NOTHING;
  const name = revisionRunName(schedule);
  const status = { observedRevision: revision, lastRevisionTime: now.toISOString() };
  if (hasRun || scans.some(({ metadata }) => metadata.name === name)) return { ...NOTHING, status };
  if (policy === "Forbid" && active.length > 0) return NOTHING;
  const waitsUntil = earliestStart(world);
  if (waitsUntil > now) return { ...NOTHING, waitsUntil };
  const replaced = policy === "Replace" ? active : [];
  return { created: [name], replaced, notes: revisionNotes(schedule, replaced), status };
}

function earliestStart({ schedule: { status } }: ScheduleWorld): Date {
  const runs = [status?.lastScheduleTime, status?.lastRevisionTime].filter((time) => time !== undefined);
  return new Date(Math.max(0, ...runs.map((time) => Date.parse(time) + MIN_MINUTES * 60_000)));
}
