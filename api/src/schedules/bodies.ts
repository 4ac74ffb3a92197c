import { scanRequestSchema } from "@glovebox/contract";
import { scheduleSettingsChangeSchema, scheduleSettingsSchema } from "@glovebox/contract/schedules";
import * as z from "zod";

const target = scanRequestSchema.shape;
const { name, historyLimit, ...timing } = scheduleSettingsSchema.shape;
const { name: newName, historyLimit: newLimit, ...newTiming } = scheduleSettingsChangeSchema.shape;

/** A new schedule. Unknown fields are refused: one that holds credentials is not stored either. */
export const newScheduleBody = z
  .strictObject({ name, ...target, ...timing, historyLimit }, "must be a JSON object")
  .meta({ id: "NewSchedule" });
export type NewSchedule = z.output<typeof newScheduleBody>;

export const scheduleChangeBody = z
  .strictObject(
    {
      name: newName,
      url: target.url.optional(),
      specUrl: target.specUrl.unwrap().nullable().optional().meta({ description: "null removes it." }),
      context: target.context.unwrap().nullable().optional().meta({ description: "null removes it." }),
      ...newTiming,
      historyLimit: newLimit,
    },
    "must be a JSON object",
  )
  .meta({ id: "ScheduleChange" });

/** What is left out stays as it is. */
export type ScheduleChange = z.output<typeof scheduleChangeBody>;
