import * as z from "zod";
import { inputText } from "../text-input.ts";

/** The caller without credentials. No identity may be named so. */
export const ANONYMOUS = "anonymous";
export const MAX_IDENTITIES = 4;
/** Users that an active scan registers for itself. */
export const MAX_SELF_REGISTERED = 2;
export const MAX_CALLERS = MAX_IDENTITIES + MAX_SELF_REGISTERED;
export const IDENTITY_ROLES = ["user", "admin"] as const;

/** An identity of a scan without its credentials. */
export const callerSchema = z
  .object({
    name: z
      .string()
      .regex(/^[a-z0-9-]{1,32}$/, "must be 1 to 32 lower-case letters, digits and hyphens")
      .refine((name) => name !== ANONYMOUS, "is the name of the caller without credentials"),
    role: z.enum(IDENTITY_ROLES, `must be one of ${IDENTITY_ROLES.join(", ")}`),
    tenant: inputText.min(1, "is empty").max(100).optional().meta({
      description: "Users of one tenant may see objects of each other, users of another tenant must not",
    }),
  })
  .meta({ id: "Caller" });
export type Caller = z.infer<typeof callerSchema>;
