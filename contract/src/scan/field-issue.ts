import type * as z from "zod";

export type FieldPath = readonly (string | number)[];

/** A key that is a name, not a secret that was put in the place of one. */
const NAME = /^[A-Za-z][A-Za-z_-]{0,39}$/;

/** The path of a field with secrets around it, for a message. Keys that may be a secret, or a part of one, are left out. */
export const fieldName = (path: FieldPath): string =>
  path.map((key) => (typeof key === "number" || NAME.test(key) ? String(key) : "…")).join(".");

/** The first thing that is wrong with data that holds secrets: field and reason, without any value of the data. */
export function firstIssue({ issues }: z.ZodError): { readonly path: FieldPath; readonly reason: string } {
  const [issue] = issues;
  return {
    path: issue!.path.map((key) => (typeof key === "symbol" ? String(key) : key)),
    reason: reasonOf(issue!),
  };
}

/** The messages of zod repeat types and keys, and no values. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const shown = issue.keys.filter((key) => NAME.test(key));
    return shown.length > 0 ? `has unknown fields: ${shown.join(", ")}` : "has an unknown field";
  }
  if (issue.code === "invalid_type" && issue.expected === "string")
    return "must be given as text; YAML needs quotes around a number";
  if (issue.code === "invalid_type" && issue.expected === "array") return "must be a list";
  return issue.message;
}
