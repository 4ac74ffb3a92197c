import { IDENTITY_FIELDS, scanRequestSchema } from "@glovebox/contract";
import { scheduleSettingsChangeSchema, scheduleSettingsSchema } from "@glovebox/contract/schedules";
import * as z from "zod";

const { mode: _, ...request } = scanRequestSchema.shape;
const target = { ...request, identitySet: IDENTITY_FIELDS.identitySet };
const removable = <Schema extends z.ZodType>(field: z.ZodOptional<Schema>) =>
  field.unwrap().nullable().optional().meta({ description: "null removes it." });
const { name, historyLimit, ...timing } = scheduleSettingsSchema.shape;
const { name: newName, historyLimit: newLimit, ...newTiming } = scheduleSettingsChangeSchema.shape;

/**
 * A new schedule. Unknown fields are refused, and so are identities: a schedule names a saved set, and holds no credentials. It has no
 * mode: its scans are safe.
 */
export const newScheduleBody = z
  .strictObject({ name, ...target, ...timing, historyLimit }, "must be a JSON object")
  .meta({ id: "NewSchedule" });
export type NewSchedule = z.output<typeof newScheduleBody>;

export const scheduleChangeBody = z
  .strictObject(
    {
      name: newName,
      url: target.url.optional(),
      specUrl: removable(target.specUrl),
      context: removable(target.context),
      include: removable(target.include),
      exclude: removable(target.exclude),
      identitySet: removable(target.identitySet),
      ...newTiming,
      historyLimit: newLimit,
    },
    "must be a JSON object",
  )
  .meta({ id: "ScheduleChange" });

/** What is left out stays as it is. */
export type ScheduleChange = z.output<typeof scheduleChangeBody>;
