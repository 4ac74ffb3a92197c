import { firstIssue, identitiesFileSchema, type IdentitiesFile } from "@glovebox/contract";
import { jsonValues } from "@glovebox/settings";
import * as z from "zod";

/** As much as a body may have. */
const MAX_TEXT = 64 * 1024;

/**
 * Identities, with the expectations about them if it is a file: as JSON, or as a text in YAML or JSON that somebody has pasted. A list
 * has identities alone. Parsed here, so that browsers load no parser. No message repeats a value.
 */
export const pastedIdentities = z.unknown().transform((pasted, context): IdentitiesFile => {
  const read = typeof pasted === "string" ? readPasted(pasted) : fileOf(pasted);
  if (typeof read === "string") {
    context.addIssue(read);
    return z.NEVER;
  }
  const file = identitiesFileSchema.safeParse(read);
  if (file.success) return file.data;
  const { path, reason } = firstIssue(file.error);
  // The field is named `identities` already.
  const within = path[0] === "identities" ? path.slice(1) : [...path];
  context.addIssue({ code: "custom", path: within, message: reason });
  return z.NEVER;
});

/** The members of a file; a string is the reason why it is none. */
function fileOf(value: unknown): object | string {
  if (Array.isArray(value)) return { identities: value };
  return typeof value === "object" && value !== null && "identities" in value
    ? value
    : "must be a list of identities, or have the key `identities`";
}

function readPasted(text: string): object | string {
  if (text.length > MAX_TEXT) return `is longer than ${MAX_TEXT} characters`;
  const parsed = jsonValues(text);
  if ("line" in parsed) return `is neither YAML nor JSON (line ${parsed.line})`;
  // An alias of an alias of an alias would be a value of any size.
  return hasRepeatedObject(parsed.value) ? "must not have aliases" : fileOf(parsed.value);
}

function hasRepeatedObject(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (seen.has(value)) return true;
  seen.add(value);
  return Object.values(value).some((each) => hasRepeatedObject(each, seen));
}
