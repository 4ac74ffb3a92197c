import type * as z from "zod";

export type FieldPath = readonly (string | number)[];

/** A field that cannot be used. The message has no value of the user in it. */
export class FieldError extends Error {
  override readonly name = "FieldError";
  readonly path: FieldPath;

  constructor(path: FieldPath, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.path = path;
  }
}

/** A key that cannot be a token that was put in the wrong place. */
const NAME = /^[\w-]{1,40}$/;

/** The path as a reader writes it. Keys of the user that may hold a secret are left out. */
export const fieldName = (path: FieldPath): string =>
  path.map((key) => (typeof key === "number" || NAME.test(key) ? String(key) : "…")).join(".");

/** What a schema finds first. The messages of zod repeat types and keys, and no values. */
export function firstIssue({ issues }: z.ZodError): { path: FieldPath; reason: string } {
  const [issue] = issues;
  return {
    path: issue!.path.map((key) => (typeof key === "symbol" ? String(key) : key)),
    reason: reasonOf(issue!),
  };
}

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
