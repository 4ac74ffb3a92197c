import { parseEgressAllow } from "@glovebox/egress";
import * as z from "zod";
import { readCertificates } from "./certificates.ts";

/** A whole number from `min` to `max`, written in decimal digits. */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}

/** A URL of one of these protocols, or none. The value is not repeated in the reason: it may hold a password. */
export function optionalUrl(protocols: readonly string[]) {
  const valid = (value: string) => URL.canParse(value) && protocols.includes(new URL(value).protocol);
  return z
    .string()
    .refine(
      valid,
      `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    )
    .optional();
}

/** Certificates as PEM text, given as such or as a file; or none. */
export const optionalCertificates = () =>
  z
    .string()
    .optional()
    .transform((value, context) =>
      value === undefined ? undefined : attempt(() => readCertificates(value), context),
    );

/** What scans may reach beside public addresses; nothing when unset. */
export const allowances = () =>
  z
    .string()
    .default("")
    .transform((value, context) => attempt(() => parseEgressAllow(value), context));

function attempt<T>(parse: () => T, context: z.RefinementCtx): T {
  try {
    return parse();
  } catch (error) {
    context.addIssue((error as Error).message.replace(/^Egress allow-list: /, ""));
    return z.NEVER;
  }
}
