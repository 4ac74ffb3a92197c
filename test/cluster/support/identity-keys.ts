import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newIdentityKey } from "@glovebox/store/identity-keys";

/** A new key in a file, and the setting with which the API reads it. */
export function identityKeyFile() {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-identity-keys-"));
  const file = join(folder, "keys");
  const key = newIdentityKey();
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return {
    key,
    settings: { GLOVEBOX_IDENTITY_KEY_FILE: file },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
