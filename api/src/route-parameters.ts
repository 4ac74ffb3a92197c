import { processingScanSchema } from "@glovebox/contract";
import * as z from "zod";
import { MAX_WAIT_SECONDS } from "./http/prefer.ts";

export { listQuerySchema as listQuery } from "./scans/list-query.ts";

export const scanPathParameters = z.object({ id: processingScanSchema.shape.id });

export const preferHeader = z.object({
  Prefer: z
    .string()
    .optional()
    .meta({
      description:
        `\`wait=N\` holds the request for at most N seconds (0 to ${MAX_WAIT_SECONDS}; more is applied as ` +
        `${MAX_WAIT_SECONDS}); \`respond-async\` does not hold it (RFC 7240). Preference-Applied tells what was applied.`,
      example: "wait=60",
    }),
});

export const idempotencyKeyHeader = z.object({
  "Idempotency-Key": z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .meta({
      description:
        "The same key and body within 24 hours return the first scan and charge nothing; another body is refused.",
      example: "build-4711",
    }),
});
