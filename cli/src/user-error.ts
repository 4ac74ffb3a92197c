/** A failure that the user can mend: its message, one line, is all that is printed, and the command ends with 2. */
export class UserError extends Error {
  override readonly name = "UserError";
}
