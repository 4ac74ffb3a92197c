import { createEgressPolicy } from "@glovebox/egress";
import * as z from "zod";

/** A whole number from `min` to `max`, written in decimal digits. */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}

/** A parser that throws, as a transform: its message is the reason. */
export const orIssue =
  <Out>(parse: (text: string) => Out) =>
  (text: string, context: z.RefinementCtx): Out => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue((error as Error).message.replace(/^Egress [^:]+: /, ""));
      return z.NEVER;
    }
  };

/** A parser of the text, where there is one. */
export function orNone<Out>(parse: (text: string) => Out) {
  return (text: string | undefined, context: z.RefinementCtx): Out | undefined =>
    text === undefined ? undefined : orIssue(parse)(text, context);
}

const DNS_LABEL = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
export const namespace = z.string().regex(DNS_LABEL, "must be the name of a namespace");

const DNS_SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
export const objectName = z.string().regex(DNS_SUBDOMAIN, "must be the name of an object");

/** Names of namespaces, separated by commas or white space. */
export const namespaces = z
  .string()
  .default("")
  .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ""))
  .pipe(z.array(namespace));

/** CIDRs and addresses, separated by commas or white space. */
export const ranges = z
  .string()
  .default("")
  .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ""))
  .transform((deny, context) => orIssue(() => (createEgressPolicy({ deny }), deny))("", context));
