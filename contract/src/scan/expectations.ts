import * as z from "zod";
import { ANONYMOUS, callerSchema, IDENTITY_ROLES } from "../report/callers.ts";
import { operationFiltersSchema } from "./operation-filter.ts";

/** Expectations of one scan at most. */
export const MAX_EXPECTATIONS = 20;

/** What a role or an identity must and must not reach. An operation that both filters match must be reached. */
export const expectationSchema = z
  .strictObject({
    role: z.enum(IDENTITY_ROLES).optional().meta({ description: "All identities of this role" }),
    identity: z
      .union([callerSchema.shape.name, z.literal(ANONYMOUS)])
      .optional()
      .meta({ description: "One identity by its name, or `anonymous`" }),
    allow: operationFiltersSchema.optional().meta({ description: "Operations that it must reach" }),
    deny: operationFiltersSchema.optional().meta({ description: "Operations that it must not reach" }),
  })
  .refine(({ role, identity }) => (role === undefined) !== (identity === undefined), {
    message: "needs either `role` or `identity`",
  })
  .refine(({ allow = [], deny = [] }) => allow.length + deny.length > 0, {
    message: "needs `allow` or `deny`",
  })
  .meta({ id: "Expectation" });
export type Expectation = z.infer<typeof expectationSchema>;

export const expectationsSchema = z.array(expectationSchema).max(MAX_EXPECTATIONS);
