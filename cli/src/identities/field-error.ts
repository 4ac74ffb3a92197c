import type { FieldPath } from "@glovebox/contract";

/** A field that cannot be used. The message has no value of the user in it. */
export class FieldError extends Error {
  override readonly name = "FieldError";
  readonly path: FieldPath;

  constructor(path: FieldPath, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.path = path;
  }
}
