import * as z from "zod";
import { ERROR_CODES } from "../errors.ts";
import { GRADES } from "../report/report.ts";
import { FILTER_FIELDS, SCAN_FIELDS, STATUSES, scanIdSchema } from "../scan/scan.ts";
import { inputName } from "../text-input.ts";
import { timingSchema } from "./schedule.ts";

/** Schedules of one account. */
export const MAX_SCHEDULES = 100;
/** Runs of one schedule that are kept. */
export const MAX_HISTORY = 100;

/** `failed`: the scan was refused, as `POST /v1/scan` would have refused it. */
export const RUN_OUTCOMES = ["started", "skipped", "missed", "failed"] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

const timestamp = z.iso.datetime();

/** What identifies a schedule to its users, and how many of its runs are kept. */
const naming = z.object({
  name: inputName,
  historyLimit: z
    .int()
    .min(1)
    .max(MAX_HISTORY)
    .default(10)
    .meta({ description: "Number of runs that are listed; older ones are deleted." }),
});

export const scheduleRunSchema = z
  .object({
    scheduledAt: timestamp
      .nullable()
      .meta({ description: "Time of the cron expression, without jitter; null for missed runs." }),
    decidedAt: timestamp,
    outcome: z.enum(RUN_OUTCOMES),
    missed: z.int().min(0).max(100).meta({ description: "Number of missed runs; 100 for more." }),
    code: z
      .enum(ERROR_CODES)
      .nullable()
      .meta({ description: "The error code of a failed run, as of POST /v1/scan." }),
    reason: z.string().nullable(),
    scanId: scanIdSchema.nullable().meta({ description: "Also null when the scan was deleted." }),
    scanStatus: z.enum(STATUSES).nullable(),
    grade: z.enum(GRADES).nullable(),
  })
  .meta({ id: "ScheduleRun" });
export type ScheduleRun = z.infer<typeof scheduleRunSchema>;

export const scheduleSchema = z
  .object({
    id: z.uuid(),
    ...naming.shape,
    url: SCAN_FIELDS.url,
    specUrl: SCAN_FIELDS.specUrl.unwrap().nullable(),
    context: SCAN_FIELDS.context.unwrap().nullable(),
    include: FILTER_FIELDS.include.unwrap().nullable(),
    exclude: FILTER_FIELDS.exclude.unwrap().nullable(),
    identitySet: inputName
      .nullable()
      .meta({ description: "Name of a saved set of the target, as which its scans sign in." }),
    ...timingSchema.shape,
    createdAt: timestamp,
    nextRunAt: timestamp.nullable().meta({ description: "With jitter; null while it is suspended." }),
    missedRuns: z.int().min(0).meta({ description: "Runs missed since the schedule was created." }),
    problem: z.string().nullable().meta({
      description:
        "Why its runs will fail, if that is known: the saved set was deleted, or identities are no longer available.",
    }),
    lastRun: scheduleRunSchema.nullable(),
  })
  .meta({ id: "Schedule" });
export type ScheduleItem = z.infer<typeof scheduleSchema>;

const settings = { ...naming.shape, ...timingSchema.shape };

/** What a client sets beside the scan: the parts of a new schedule that are not in `ScanRequest`. */
export const scheduleSettingsSchema = z.object(settings);

/** The same for a change: what is left out stays as it is. */
export const scheduleSettingsChangeSchema = z
  .object({
    ...settings,
    historyLimit: withoutDefault(settings.historyLimit),
    timeZone: withoutDefault(settings.timeZone),
    jitterSeconds: withoutDefault(settings.jitterSeconds),
    startingDeadlineSeconds: withoutDefault(settings.startingDeadlineSeconds),
    concurrencyPolicy: withoutDefault(settings.concurrencyPolicy),
    suspend: withoutDefault(settings.suspend),
  })
  .partial();

function withoutDefault<Schema extends z.ZodType>(schema: z.ZodDefault<Schema>): Schema {
  return (schema.unwrap() as unknown as z.ZodType).meta(schema.meta() ?? {}) as unknown as Schema;
}
