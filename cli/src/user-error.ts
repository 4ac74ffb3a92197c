/** A failure that the user can mend: its message, one line, is all that is printed, and the command ends with 2. */
export class UserError extends Error {
  override readonly name = "UserError";
}

/** An address, and the variables that its port and its host come from. */
interface ListeningPlace {
  readonly port: string;
  readonly host: string;
  readonly address: string;
}

/** Names the setting to change when the address that `listen` wants is taken or cannot be had. */
export async function listening<T>(place: ListeningPlace, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const known = REASONS[(cause as NodeJS.ErrnoException).code ?? ""];
    if (known === undefined) throw cause;
    const [setting, reason] = known;
    throw new UserError(`${place[setting]}: ${place.address} ${reason}.`, { cause });
  }
}

const REASONS: Record<string, readonly ["port" | "host", string]> = {
  EADDRINUSE: ["port", "is in use by another program"],
  EACCES: ["port", "may not be listened on by this user"],
  EADDRNOTAVAIL: ["host", "is no address of this machine"],
  ENOTFOUND: ["host", "cannot be resolved"],
};
