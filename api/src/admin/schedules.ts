import { timingSchema } from "@glovebox/contract/schedule";
import * as z from "zod";
import { newScheduleBody, scheduleChangeBody } from "../schedules/bodies.ts";
import { ScheduleCommands } from "../schedules/commands.ts";
import { previewOf, type TimingPreview } from "../schedules/timing.ts";
import { NO_INPUT, can, router } from "./trpc.ts";

const one = z.strictObject({ id: z.uuid() });
const { schedule, timeZone } = timingSchema.shape;

export const schedulesRouter = router({
  list: can("schedules:read")
    .input(NO_INPUT)
    .query(({ ctx }) => new ScheduleCommands(ctx.services, ctx).list()),

  /** When a schedule with these times would run, for a form that is being filled in. */
  preview: can("schedules:read")
    .input(z.strictObject({ schedule, timeZone }))
    .query(({ ctx, input }): TimingPreview => previewOf(ctx.account.plan, input, ctx.services.now())),

  create: can("schedules:write")
    .input(newScheduleBody)
    .mutation(({ ctx, input }) => new ScheduleCommands(ctx.services, ctx).create(input)),

  /** Also suspends and resumes. */
  update: can("schedules:write")
    .input(scheduleChangeBody.extend(one.shape))
    .mutation(({ ctx, input: { id, ...change } }) =>
      new ScheduleCommands(ctx.services, ctx).update(id, change),
    ),

  remove: can("schedules:write")
    .input(one)
    .mutation(async ({ ctx, input }) => {
      await new ScheduleCommands(ctx.services, ctx).remove(input.id);
      return {};
    }),

  /** The newest first. */
  runs: can("schedules:read")
    .input(one)
    .query(({ ctx, input }) => new ScheduleCommands(ctx.services, ctx).runs(input.id)),
});
