/** A failure that the user can fix: only its message, one line, is printed, and the exit code is 2. */
export class UserError extends Error {
  override readonly name = "UserError";
}

/** Runs `listen`; if the address cannot be used, the error names the setting to change. */
export async function listening<T>(
  listenAddress: { readonly port: string; readonly host: string; readonly address: string },
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const known = LISTEN_ERRORS[(cause as NodeJS.ErrnoException).code ?? ""];
    if (known === undefined) throw cause;
    const [setting, reason] = known;
    throw new UserError(`${listenAddress[setting]}: ${listenAddress.address} ${reason}.`, { cause });
  }
}

const LISTEN_ERRORS: Record<string, readonly ["port" | "host", string]> = {
  EADDRINUSE: ["port", "is in use by another program"],
  EACCES: ["port", "requires a permission that this user does not have"],
  EADDRNOTAVAIL: ["host", "is not an address of this machine"],
  ENOTFOUND: ["host", "cannot be resolved"],
};

type Parse<T> = (text: string) => T;

/**
 * The value of an option of the command line; undefined when it was not given.
 * @throws UserError that names the option and the reason, which is the message of what `parse` throws
 */
export function parseOption<T>(option: string, text: string, parse: Parse<T>): T;
export function parseOption<T>(option: string, text: string | undefined, parse: Parse<T>): T | undefined;
export function parseOption<T>(option: string, text: string | undefined, parse: Parse<T>): T | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw new UserError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}

/** One of these values. */
export const choice =
  <Word extends string>(words: readonly Word[]): Parse<Word> =>
  (text) => {
    const chosen = words.find((word) => word === text);
    if (chosen === undefined) throw new Error(`must be one of ${words.join(", ")}`);
    return chosen;
  };

/** The values of an option that may be repeated. */
export const collected = (value: string, before?: readonly string[]): string[] => [...(before ?? []), value];

/** One word of a shell's command line, with any characters. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
