import * as z from "zod";

const milliseconds = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

/** What a canary says to whoever connects, as JSON. Its times are milliseconds on its own clock, since its start. */
export const canaryWordSchema = z.object({
  /** A random word of this process: after a restart it is another. */
  instance: z.string().regex(/^[0-9a-f]{32}$/),
  ageMs: milliseconds,
  /** The addresses of its pod, at which it listens. */
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .min(1)
    .max(8),
  /** The age from which on other pods have reached it without a gap until now, by address family. */
  reachedSinceMs: z.object({ IPv4: milliseconds.optional(), IPv6: milliseconds.optional() }),
});
export type CanaryWord = z.infer<typeof canaryWordSchema>;

/** Undefined for what no canary says. */
export function parseWord(text: string | undefined): CanaryWord | undefined {
  if (text === undefined) return undefined;
  try {
    return canaryWordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
