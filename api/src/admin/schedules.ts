import { timingSchema } from "@glovebox/contract/schedule";
import * as z from "zod";
import { newScheduleBody, scheduleChangeBody } from "../schedules/bodies.ts";
import { scheduleCommands } from "../schedules/commands.ts";
import { previewOf, type TimingPreview } from "../schedules/timing.ts";
import { NO_INPUT, can, router } from "./trpc.ts";

const one = z.strictObject({ id: z.uuid() });
const { schedule, timeZone } = timingSchema.shape;

export const schedulesRouter = router({
  list: can("schedules:read")
    .input(NO_INPUT)
    .query(({ ctx }) => scheduleCommands(ctx.services, ctx.account).list()),

  /** When a schedule with these times would run, for a form that is being filled in. */
  preview: can("schedules:read")
    .input(z.strictObject({ schedule, timeZone }))
    .query(({ ctx, input }): TimingPreview => previewOf(ctx.account.plan, input, ctx.services.now())),

  create: can("schedules:write")
    .input(newScheduleBody)
    .mutation(({ ctx, input }) => scheduleCommands(ctx.services, ctx.account, ctx.actor).create(input)),

  /** Also suspends and resumes. */
  update: can("schedules:write")
    .input(scheduleChangeBody.extend(one.shape))
    .mutation(({ ctx, input: { id, ...change } }) =>
      scheduleCommands(ctx.services, ctx.account, ctx.actor).update(id, change),
    ),

  remove: can("schedules:write")
    .input(one)
    .mutation(async ({ ctx, input }) => {
      await scheduleCommands(ctx.services, ctx.account, ctx.actor).remove(input.id);
      return {};
    }),

  /** The newest first. */
  runs: can("schedules:read")
    .input(one)
    .query(({ ctx, input }) => scheduleCommands(ctx.services, ctx.account).runs(input.id)),
});
