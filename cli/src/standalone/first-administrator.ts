import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashSecret, isToken, newToken, type Store } from "@glovebox/store";
import { FIRST_ACCOUNT } from "./first-key.ts";

const LINK_DAYS = 7;

/**
 * The token of the link for the first administrator, who owns the account of the first key; undefined once there is a user. It is
 * kept in the data directory, for its owner only, so that a restart does not change the link.
 */
export async function offerFirstAdministrator(
  dataDir: string,
  { accounts, invitations }: Pick<Store, "accounts" | "invitations">,
): Promise<string | undefined> {
  const file = join(dataDir, "first-administrator");
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  const token = isToken(kept) ? kept : newToken();
  const accountId = (await accounts.find(FIRST_ACCOUNT))?.id;
  const offered = await invitations.offerFirstAdministrator(hashSecret(token), {
    accountId,
    days: LINK_DAYS,
  });
  if (!offered) rmSync(file, { force: true });
  else if (token !== kept) writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return offered ? token : undefined;
}
