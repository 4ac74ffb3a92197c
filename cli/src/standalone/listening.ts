import { UserError } from "../user-error.ts";

/** Names the setting to change when the address that `listen` wants is taken or cannot be had. */
export async function listening<T>(
  setting: { variable: string; address: string },
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ""];
    if (reason === undefined) throw cause;
    throw new UserError(`${setting.variable}: ${setting.address} ${reason}.`, { cause });
  }
}

const REASONS: Record<string, string> = {
  EADDRINUSE: "is in use by another program",
  EACCES: "may not be listened on by this user",
  EADDRNOTAVAIL: "is no address of this machine",
  ENOTFOUND: "cannot be resolved",
};
