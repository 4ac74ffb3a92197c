import type * as z from "zod";

/** A key that is a name of something, not a secret that was put in the place of one. */
const NAME = /^[A-Za-z][A-Za-z-]{0,39}$/;

/** The path of a field with secrets around it, for a message. Keys that may be a secret, or a part of one, are left out. */
export const fieldName = (path: readonly PropertyKey[]): string =>
  path.map((key) => (typeof key === "number" || NAME.test(String(key)) ? String(key) : "…")).join(".");

/** The first thing that is wrong with data that holds secrets: field and reason, without any value of the data. */
export function firstIssue({ issues: [issue] }: z.ZodError): {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
} {
  return { path: issue!.path, reason: reasonOf(issue!) };
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const shown = issue.keys.filter((key) => NAME.test(key));
    return shown.length > 0 ? `has unknown fields: ${shown.join(", ")}` : "has an unknown field";
  }
  if (issue.code === "invalid_type" && issue.expected === "string")
    return "must be given as text; YAML needs quotes around a number";
  return issue.message;
}
