import { identitiesSchema } from "@glovebox/contract";
import { jsonValues } from "@glovebox/settings";
import * as z from "zod";

/** As much as a body may have. */
const MAX_TEXT = 64 * 1024;

/**
 * Identities as JSON, or as a text in YAML or JSON that somebody has pasted: the list, or a file with the key `identities`. Parsed
 * here, so that browsers load no parser. No message repeats a value.
 */
export const pastedIdentities = z.preprocess((value, context) => {
  if (typeof value !== "string") return value;
  const read = readPasted(value);
  if ("identities" in read) return read.identities;
  context.addIssue(read.problem);
  return z.NEVER;
}, identitiesSchema);

type Read = { readonly identities: unknown } | { readonly problem: string };

function readPasted(text: string): Read {
  if (text.length > MAX_TEXT) return { problem: `is longer than ${MAX_TEXT} characters` };
  const parsed = jsonValues(text);
  if ("line" in parsed) return { problem: `is neither YAML nor JSON (line ${parsed.line})` };
  const { value } = parsed;
  // An alias of an alias of an alias would be a value of any size.
  if (hasRepeatedObject(value)) return { problem: "must not have aliases" };
  if (Array.isArray(value)) return { identities: value };
  const file = z.strictObject({ identities: z.unknown() }).safeParse(value);
  return file.success
    ? file.data
    : { problem: "must be a list of identities, or have the key `identities` alone" };
}

function hasRepeatedObject(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (seen.has(value)) return true;
  seen.add(value);
  return Object.values(value).some((each) => hasRepeatedObject(each, seen));
}
