import { webhookChangeSchema, webhookInputSchema } from "@glovebox/contract";
import * as z from "zod";
import { WebhookCommands } from "../webhooks/commands.ts";
import { NO_INPUT, can, router } from "./trpc.ts";

const MAX_DELIVERIES = 200;

const one = z.strictObject({ id: z.uuid() });
const delivery = one.extend({ delivery: z.uuid() });

export const webhooksRouter = router({
  list: can("webhooks:read")
    .input(NO_INPUT)
    .query(({ ctx }) => new WebhookCommands(ctx.services, ctx).list()),

  /** The response has the secret, which is not shown again. */
  create: can("webhooks:write")
    .input(webhookInputSchema)
    .mutation(({ ctx, input }) => new WebhookCommands(ctx.services, ctx).create(input)),

  update: can("webhooks:write")
    .input(webhookChangeSchema.extend(one.shape))
    .mutation(({ ctx, input: { id, ...change } }) =>
      new WebhookCommands(ctx.services, ctx).update(id, change),
    ),

  /** The response has the new secret; the old one also signs for a day. */
  rotateSecret: can("webhooks:write")
    .input(one)
    .mutation(({ ctx, input }) => new WebhookCommands(ctx.services, ctx).rotateSecret(input.id)),

  remove: can("webhooks:write")
    .input(one)
    .mutation(async ({ ctx, input }) => {
      await new WebhookCommands(ctx.services, ctx).remove(input.id);
      return {};
    }),

  /** The newest first. */
  deliveries: can("webhooks:read")
    .input(one.extend({ limit: z.int().min(1).max(MAX_DELIVERIES).default(50) }))
    .query(({ ctx, input }) => new WebhookCommands(ctx.services, ctx).deliveries(input.id, input.limit)),

  sendAgain: can("webhooks:write")
    .input(delivery)
    .mutation(({ ctx, input }) => new WebhookCommands(ctx.services, ctx).sendAgain(input.id, input.delivery)),

  test: can("webhooks:write")
    .input(one)
    .mutation(({ ctx, input }) => new WebhookCommands(ctx.services, ctx).test(input.id)),
});
