import { parseEgressAllow } from "@glovebox/egress";
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

/** A URL of one of these protocols. The value is not repeated in the reason: it may hold a password. */
export function urlOf(protocols: readonly string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(" or ");
  const error = `must be a URL that starts with ${starts}`;
  return z
    .string(error)
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), error);
}

/** What scans may reach beside public addresses; nothing when unset. */
export const allowances = () => z.string().default("").transform(orIssue(parseEgressAllow));

/** A parser that throws, as a transform of zod: its message is the reason. */
export function orIssue<In, Out>(parse: (value: In) => Out) {
  return (value: In, context: z.RefinementCtx): Out => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue((error as Error).message.replace(/^Egress allow-list: /, ""));
      return z.NEVER;
    }
  };
}
