import {
  API_VERSION,
  SCHEDULE_KIND,
  type ScanResource,
  type ScheduleResource,
  type ScheduleSpec,
  type ScheduleStatus,
} from "@glovebox/k8s";
import type { SchedulePlan } from "../decide.ts";
import { runName, scanOfRun } from "../runs.ts";

export const at = (text: string): Date => new Date(text);

const TARGET = "https://api.shop.example/v1";

/** A schedule for 02:30 UTC that was created at noon on 2027-01-01. */
export const scheduleResource = (
  spec: Partial<ScheduleSpec> = {},
  status: ScheduleStatus = { observedGeneration: -1 },
): ScheduleResource => ({
  apiVersion: API_VERSION,
  kind: SCHEDULE_KIND,
  metadata: {
    name: "shop",
    namespace: "glovebox-scans",
    uid: "schedule-uid",
    generation: 1,
    resourceVersion: "1",
    creationTimestamp: "2027-01-01T12:00:00Z",
  },
  spec: { schedule: "30 2 * * *", scanTemplate: { spec: { url: TARGET } }, ...spec },
  status,
});

/** The status after the run of this time. */
export const decided = (slot: string, more: ScheduleStatus = {}): ScheduleStatus => ({
  observedGeneration: 1,
  decidedUntil: at(slot).toISOString(),
  lastScheduleTime: at(slot).toISOString(),
  observedSchedule: "30 2 * * * Etc/UTC",
  missedRuns: 0,
  ...more,
});

/** The Scan of a run: without a phase, it has not ended. */
export function scanOf(slot: string, phase?: "Completed" | "Failed"): ScanResource {
  const { metadata, ...scan } = scanOfRun(scheduleResource(), runName(scheduleResource(), at(slot)));
  const name = metadata.name ?? "";
  return {
    ...scan,
    metadata: {
      ...metadata,
      name,
      namespace: "glovebox-scans",
      uid: `uid-of-${name}`,
      generation: 1,
      creationTimestamp: slot,
    },
    status: phase ? { phase, finishedAt: new Date(at(slot).getTime() + 300_000).toISOString() } : {},
  };
}

/** What a plan does, in words. */
export const wordsOf = ({ actions, notes }: SchedulePlan): string[] => [
  ...actions.map((action) => {
    if (action.do === "patchStatus") return "patch";
    return action.do === "createScan" ? `create ${action.scan.metadata.name}` : `delete ${action.name}`;
  }),
  ...notes.map(({ type, reason }) => `${type} ${reason}`),
];

export const statusIn = ({ actions }: SchedulePlan): ScheduleStatus | undefined =>
  actions.flatMap((action) => (action.do === "patchStatus" ? [action.status] : []))[0];
