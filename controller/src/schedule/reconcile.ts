import { API_VERSION, type ScanResource, SCHEDULE_KIND, type ScheduleResource } from "@glovebox/k8s";
import {
  type Clock,
  isAlreadyExists,
  isConflict,
  KubeError,
  type Objects,
  type EventRecorder,
  type Requeue,
} from "@glovebox/kube";
import type { ControllerMetrics } from "../process/metrics.ts";
import { bySchedule } from "../kubernetes/ownership.ts";
import { decideSchedule, type ScheduleAction, type SchedulePlan, type ScheduleWorld } from "./decide.ts";

export interface ScheduleDeps {
  /** The schedule of this key; undefined when there is none. */
  readonly find: (key: string) => ScheduleResource | undefined;
  /** The Scans that it controls; undefined while the objects of its namespace are not known. */
  readonly scansOf: (schedule: ScheduleResource) => readonly ScanResource[] | undefined;
  readonly schedules: Pick<Objects<ScheduleResource>, "get" | "patchStatus">;
  readonly scans: Pick<Objects<ScanResource, object>, "create" | "delete" | "get">;
  readonly events: Pick<EventRecorder, "record">;
  readonly metrics: Pick<ControllerMetrics, "scheduleRuns">;
  /** The API server's. */
  readonly clock: Pick<Clock, "now">;
}

/** Until the caches show what was written, or know the Scans. */
const CACHES_MS = 500;

/** Observes, decides and acts once. Nothing else writes the status of ScanSchedules. */
export const scheduleReconciler =
  (deps: ScheduleDeps) =>
  async (key: string): Promise<Requeue | undefined> => {
    const schedule = deps.find(key);
    if (!schedule) return undefined;
    const scans = deps.scansOf(schedule);
    if (!scans) return { afterMs: CACHES_MS };
    const world = { schedule, scans, now: deps.clock.now() };
    const plan = decideSchedule(world);
    if ((await performAll(plan, world, deps)) === "stale") return { afterMs: CACHES_MS };
    for (const { type, reason, note } of plan.notes) record(world, deps, { type, reason, note });
    for (const [outcome, count] of Object.entries(plan.runs ?? {}))
      deps.metrics.scheduleRuns.inc({ outcome }, count);
    // The clock of the API server is an estimate: a moment too early would decide nothing.
    return plan.nextAt && { afterMs: Math.max(0, plan.nextAt.getTime() - world.now.getTime()) + 50 };
  };

async function performAll(
  { actions }: SchedulePlan,
  world: ScheduleWorld,
  deps: ScheduleDeps,
): Promise<"done" | "stale"> {
  if (actions.some((action) => action.do === "createScan") && !(await isCurrent(world, deps))) return "stale";
  for (const action of actions) {
    try {
      await perform(action, world, deps);
    } catch (error) {
      if (action.do === "patchStatus" && isConflict(error)) return "stale";
      throw error;
    }
  }
  return "done";
}

async function isCurrent({ schedule }: ScheduleWorld, { schedules }: ScheduleDeps): Promise<boolean> {
  const live = await schedules.get(nameOf(schedule));
  return live?.metadata.resourceVersion === schedule.metadata.resourceVersion;
}

async function perform(action: ScheduleAction, world: ScheduleWorld, deps: ScheduleDeps): Promise<void> {
  const { schedule } = world;
  const { namespace } = schedule.metadata;
  switch (action.do) {
    case "createScan":
      return create(action, world, deps);
    case "deleteScan":
      // Another Scan may have its name meanwhile: that one is left.
      return deps.scans.delete({ namespace, name: action.name, uid: action.uid }).catch((error: unknown) => {
        if (!isConflict(error)) throw error;
      });
    case "patchStatus": {
      const { resourceVersion = "", name } = schedule.metadata;
      const removed = Object.keys(schedule.status ?? {}).filter((field) => !(field in action.status));
      const nulls = Object.fromEntries(removed.map((field) => [field, null]));
      await deps.schedules.patchStatus({ namespace, name }, { ...nulls, ...action.status }, resourceVersion);
    }
  }
}

/** A Scan of that name which the schedule controls is success: this controller or the previous leader created it. */
async function create(
  { scan }: Extract<ScheduleAction, { do: "createScan" }>,
  world: ScheduleWorld,
  deps: ScheduleDeps,
): Promise<void> {
  const { uid, namespace } = world.schedule.metadata;
  try {
    await deps.scans.create(namespace, scan);
  } catch (error) {
    if (!(error instanceof KubeError) || error.code === undefined) throw error;
    const name = scan.metadata.name ?? "";
    const there = isAlreadyExists(error) ? await deps.scans.get({ namespace, name }) : undefined;
    if (there && bySchedule(there).includes(uid)) return;
    const note = `The Scan ${name} could not be created: ${there ? "another Scan has this name" : (error.detail ?? error.message)}.`;
    record(world, deps, { type: "Warning", reason: "CouldNotCreateScan", note });
    throw error;
  }
}

function record(
  { schedule: { metadata } }: ScheduleWorld,
  { events }: ScheduleDeps,
  event: { readonly type: "Normal" | "Warning"; readonly reason: string; readonly note: string },
): void {
  const { namespace, name, uid } = metadata;
  const regarding = { apiVersion: API_VERSION, kind: SCHEDULE_KIND, namespace, name, uid };
  events.record({ regarding, action: "Schedule", ...event });
}

const nameOf = ({ metadata: { namespace, name } }: ScheduleResource) => ({ namespace, name });
