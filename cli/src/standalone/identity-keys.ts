import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newIdentityKey, parseIdentityKeys, type IdentityKeys } from "@glovebox/store/identity-keys";
import { UserError } from "../command-line.ts";

/**
 * The keys that encrypt identities, made at the first start and kept in the data directory, for its owner only.
 * @throws UserError when the file cannot be read or holds something else; what it encrypted would be lost with a new one
 */
export function ensureIdentityKeys(dataDir: string): IdentityKeys {
  const file = join(dataDir, "identity-keys");
  if (!existsSync(file)) writeFileSync(file, `${newIdentityKey()}\n`, { mode: 0o600, flag: "wx" });
  try {
    return parseIdentityKeys(readFileSync(file, "utf8"));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new UserError(`${file}: ${code === undefined ? message : `cannot be read (${code})`}.`, { cause });
  }
}
