import { endpointSchema } from "@glovebox/contract";
import * as z from "zod";

const milliseconds = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

/** The response of a canary to a probe, as JSON. Times are milliseconds of its clock since its start. */
export const probeResultSchema = z.object({
  /** Random id of this process: another one after a restart. */
  instance: z.string().regex(/^[0-9a-f]{32}$/),
  ageMs: milliseconds,
  /** The addresses of its pod, at which it listens. */
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .min(1)
    .max(8),
  /** Since which age other pods have reached it without a gap, by address family. */
  reachedSinceMs: z.object({ IPv4: milliseconds.optional(), IPv6: milliseconds.optional() }),
});
export type ProbeResult = z.infer<typeof probeResultSchema>;

/** Undefined if the response is invalid. */
export function parseProbeResult(text: string | undefined): ProbeResult | undefined {
  if (text === undefined) return undefined;
  try {
    return probeResultSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The canary of an attempt, as recorded in an annotation of its Job, where a scan pod cannot write. */
export const canaryReferenceSchema = z.object({
  /** The process. */
  instance: z.string(),
  /** Its age, by its own clock, at the last probe before the Job was created. */
  ageMs: z.number(),
  /** Where it listens: one endpoint for each address family. */
  endpoints: z.array(endpointSchema).min(1).max(2),
});
export type CanaryReference = z.infer<typeof canaryReferenceSchema>;
