import * as z from "zod";

/** What happens when a run is due and the scan of the one before has not ended: both run, the new one is left out, or the old one is cancelled. */
export const CONCURRENCY_POLICIES = ["Allow", "Forbid", "Replace"] as const;
export type ConcurrencyPolicy = (typeof CONCURRENCY_POLICIES)[number];

export const MAX_JITTER_SECONDS = 3600;

/** When a schedule runs. */
export const timingSchema = z.object({
  schedule: z.string().max(100).meta({
    description: "Cron expression of five fields: minute, hour, day of month, month, day of week.",
    example: "30 2 * * *",
  }),
  timeZone: z
    .string()
    .max(64)
    .default("Etc/UTC")
    .meta({ description: "Name of a time zone, such as Europe/Berlin." }),
  jitterSeconds: z
    .int()
    .min(0)
    .max(MAX_JITTER_SECONDS)
    .default(0)
    .meta({ description: "Each run starts after a random delay of up to this many seconds." }),
  startingDeadlineSeconds: z.int().min(60).max(86_400).default(3600).meta({
    description: "A run that has not started after this many seconds is missed.",
  }),
  concurrencyPolicy: z.enum(CONCURRENCY_POLICIES).default("Forbid").meta({
    description:
      "Allow: scans may overlap. Forbid: a run is skipped while the previous scan runs. Replace: the previous scan is cancelled.",
  }),
  suspend: z.boolean().default(false).meta({ description: "True: no run starts." }),
});
export type Timing = z.infer<typeof timingSchema>;
