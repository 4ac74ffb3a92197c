import { accessSync, constants, mkdirSync } from "node:fs";
import { UserError } from "../user-error.ts";

/**
 * Makes the data directory where there is none.
 * @throws UserError when that cannot be done, or nothing can be written there.
 */
export function makeDataDir(dataDir: string): void {
  try {
    // Others may pass through: the embedded PostgreSQL runs under a user of its own.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch (cause) {
    throw new UserError(`GLOVEBOX_DATA_DIR: ${dataDir} cannot be made a directory.`, { cause });
  }
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new UserError(`GLOVEBOX_DATA_DIR: ${dataDir} may not be written by this user.`, { cause });
  }
}
