import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  COMMAND_LINE,
  declareAccount,
  declareKey,
  hashApiKey,
  isApiKey,
  newApiKey,
  type Store,
} from "@glovebox/store";
import { type Plan } from "@glovebox/contract";
import { UserError } from "../command-line.ts";

/** The account of the first key and of the first administrator. */
export const FIRST_ACCOUNT = "default";
const PLAN: Plan = "pro"; // enough requests and scans to try everything

export interface FirstKey {
  readonly key: string;
  readonly file: string;
  /** True on the first start, the only time when the key is printed. */
  readonly isNew: boolean;
}

/** The key of the account `default`, made at the first start and kept in the data directory, for its owner only. */
export async function ensureFirstKey(
  dataDir: string,
  { accounts, changing }: Pick<Store, "accounts" | "changing">,
): Promise<FirstKey> {
  const file = join(dataDir, "first-key");
  const isNew = !existsSync(file);
  // The file is written first: if the start fails here, the next one adds the key to the database.
  if (isNew) writeFileSync(file, `${newApiKey()}\n`, { mode: 0o600, flag: "wx" });
  const key = readFileSync(file, "utf8").trim();
  if (!isApiKey(key)) throw new UserError(`${file} holds no API key; remove it to get a new one.`);

  const change = changing(COMMAND_LINE);
  const account =
    (await accounts.find(FIRST_ACCOUNT)) ??
    (await declareAccount(change, { name: FIRST_ACCOUNT, plan: PLAN }));
  await declareKey(change, { accountId: account.id, name: "first", sha256: hashApiKey(key) });
  return { key, file, isNew };
}
