import { endpointSchema } from "@glovebox/contract";
import * as z from "zod";

/** The canary that an attempt is started beside, as it is noted on the attempt's Job, where a scan pod cannot write. */
export const canaryNoteSchema = z.object({
  /** The process. */
  instance: z.string(),
  /** Its age, by its own clock, when it was last reached before the Job was made. */
  ageMs: z.number(),
  /** Where it listens: one endpoint for each address family that it has. */
  endpoints: z.array(endpointSchema).min(1).max(2),
});
export type CanaryNote = z.infer<typeof canaryNoteSchema>;
