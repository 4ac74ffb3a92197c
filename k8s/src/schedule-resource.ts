import { GRADES } from "@glovebox/contract";
import { timingSchema } from "@glovebox/contract/schedule";
import * as z from "zod";
import type { API_VERSION, SCHEDULE_KIND } from "./names.ts";
import { conditionSchema, scanSpecSchema, type OwnerReference } from "./scan-resource.ts";

/** Longer names would not leave room for the time of the run in the label and the names of its Scans. */
export const MAX_SCHEDULE_NAME = 52;

const limit = z.int().min(0).max(100);

/** The spec of a ScanSchedule. It can be changed at any time; a change does not affect Scans that exist. */
export const scheduleSpecSchema = timingSchema
  .extend({
    scanTemplate: z
      .object({ spec: scanSpecSchema.meta({ description: "The spec of each Scan." }) })
      .meta({ description: "The Scan that each run creates, in the namespace of the schedule." }),
    revision: z.string().min(1).max(200).optional().meta({
      description:
        "What is deployed at the target, such as a commit or an image digest. When it changes, a Scan starts, independently of the schedule.",
    }),
    successfulHistoryLimit: limit.default(3).meta({ description: "Number of completed Scans to keep." }),
    failedHistoryLimit: limit.default(1).meta({ description: "Number of failed Scans to keep." }),
  })
  .meta({ description: "What to scan, and when." });
export type ScheduleSpec = z.input<typeof scheduleSpecSchema>;

/**
 * Conditions with names that kstatus, `kubectl wait` and so Flux and others read. Stalled is present only while it is True.
 */
const SCHEDULE_CONDITION_TYPES = ["Ready", "Stalled"] as const;

/** The `reason` of a condition, for programs, each with its meaning. */
export const SCHEDULE_REASONS = {
  Scheduled: "Runs start at the times of the schedule",
  Suspended: "spec.suspend is true, so nothing starts",
  InvalidSchedule: "schedule or timeZone cannot be used",
  InvalidTemplate: "url or specUrl of the template is not a URL that can be scanned",
  ScansFail: "Its Scans fail: all of them so far, or the last three",
} as const;
export type ScheduleReason = keyof typeof SCHEDULE_REASONS;

export const scheduleConditionSchema = conditionSchema
  .extend({
    type: z.enum(SCHEDULE_CONDITION_TYPES).meta({ description: "Type of the condition." }),
    reason: z
      .enum(Object.keys(SCHEDULE_REASONS) as [ScheduleReason, ...ScheduleReason[]])
      .meta({ description: "Reason in CamelCase, for programs." }),
    observedGeneration: z.int().min(0).optional().meta({
      description: "The generation of the ScanSchedule that the condition describes.",
    }),
  })
  .meta({ description: "Whether runs start, and lead to a result." });
export type ScheduleCondition = z.infer<typeof scheduleConditionSchema>;

const time = z.iso.datetime().optional();

/** What the controller has seen and done. It alone writes it. */
export const scheduleStatusSchema = z
  .object({
    lastScheduleTime: time.meta({
      description: "The time of the last run that started, without its jitter.",
    }),
    lastRunTime: time.meta({
      description: "When the last run started, whether for the schedule or for a revision.",
    }),
    lastScan: z.string().max(253).optional().meta({ description: "Name of the Scan that ended last." }),
    lastResult: z
      .string()
      .max(63)
      .optional()
      .meta({ description: "Completed, or the reason why that Scan failed." }),
    lastGrade: z.enum(GRADES).optional().meta({ description: "Grade of that Scan, if it completed." }),
    lastEndTime: time.meta({ description: "When that Scan ended." }),
    lastSuccessfulTime: time.meta({ description: "When a Scan last completed." }),
    consecutiveFailures: z.int().min(0).optional().meta({
      description: "Number of Scans that have failed since then, not counting cancelled ones.",
    }),
    nextScheduleTime: time.meta({ description: "When the next run starts. Absent while nothing starts." }),
    active: z.int().min(0).optional().meta({ description: "Number of its Scans that have not ended." }),
    missedRuns: z.int().min(0).optional().meta({
      description:
        "Runs that did not start: too late, or skipped because the previous Scan had not ended. The events have the reasons.",
    }),
    observedRevision: z
      .string()
      .max(200)
      .optional()
      .meta({ description: "The last revision that a Scan was started for." }),
    lastRevisionTime: time.meta({ description: "When that Scan was started." }),
    decidedUntil: time.meta({ description: "Runs up to this time were started or missed." }),
    observedSchedule: z.string().max(200).optional().meta({
      description:
        "schedule and timeZone by which runs are decided. Absent while nothing starts; when it changes, runs before the change are neither started nor missed.",
    }),
    observedGeneration: z.int().min(-1).optional().meta({
      description:
        "The generation of the ScanSchedule that this status describes; -1 until the controller has observed it.",
    }),
    conditions: z
      .array(scheduleConditionSchema)
      .max(SCHEDULE_CONDITION_TYPES.length)
      .optional()
      .meta({ description: `Conditions: ${SCHEDULE_CONDITION_TYPES.join(", ")}.` }),
  })
  .meta({ description: "Observed state of the schedule, written by the controller." });
export type ScheduleStatus = z.infer<typeof scheduleStatusSchema>;

/** A ScanSchedule without the fields that the API server adds. */
export interface ScheduleManifest {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: typeof SCHEDULE_KIND;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly spec: ScheduleSpec;
}

/** A ScanSchedule as the API server returns it. */
export interface ScheduleResource extends ScheduleManifest {
  readonly metadata: ScheduleManifest["metadata"] & {
    readonly uid: string;
    readonly generation: number;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly resourceVersion?: string;
  };
  readonly status?: ScheduleStatus;
}
