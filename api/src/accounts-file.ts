import { readFile } from "node:fs/promises";
import { PLAN_NAMES, SCOPES, inputEmail } from "@glovebox/contract";
import {
  KeyRefused,
  declareAccount,
  declareKey,
  hashApiKey,
  isApiKey,
  revokeKey,
  serviceActor,
  type Changing,
  type Store,
} from "@glovebox/store";
import { YAMLException, load } from "js-yaml";
import * as z from "zod";

/** The accounts file is invalid; the message names the field and the reason, and contains no key. */
export class AccountsFileError extends Error {
  override readonly name = "AccountsFileError";
}

const name = z.string("must be text").min(1, "must not be empty").max(100, "is longer than 100 characters");
const keySchema = z
  .strictObject({
    name,
    key: z
      .string("must be text")
      .refine(isApiKey, "is not an API key: its form or its checksum is wrong")
      .optional(),
    sha256: z
      .string("must be text")
      .regex(/^[0-9a-f]{64}$/i, "must be 64 hex digits")
      .optional(),
    scopes: z.array(z.enum(SCOPES, `must be one of ${SCOPES.join(", ")}`)).optional(),
    expiresAt: z
      .union([z.date(), z.iso.date(), z.iso.datetime({ offset: true })], "must be a date such as 2027-01-31")
      .transform((moment) => new Date(moment))
      .optional(),
    revoked: z.boolean("must be true or false").optional(),
  })
  .refine((key) => (key.key === undefined) !== (key.sha256 === undefined), "needs either key or sha256");
const accountSchema = z.strictObject({
  name,
  plan: z.enum(PLAN_NAMES, `must be one of ${PLAN_NAMES.join(", ")}`),
  owner: inputEmail.optional(),
  requestsPerMinute: z.int("must be a whole number").min(1, "must be at least 1").max(1_000_000).optional(),
  activeMode: z.boolean("must be true or false").optional(),
  keys: z.array(keySchema, "must be a list").default([]),
});
const fileSchema = z.strictObject(
  { accounts: z.array(accountSchema, "must be a list") },
  "must have accounts",
);
type AccountsFile = z.infer<typeof fileSchema>;

const ACCOUNTS_FILE = serviceActor("accounts file");

/**
 * Applies the accounts and keys of a YAML file (docs/accounts.md, "In a file"). The whole file is validated before anything is
 * written; applying it again changes nothing. Keys that are not in the file stay as they are; one with `revoked: true` is revoked
 * permanently.
 * @throws AccountsFileError
 */
export async function applyAccountsFile(
  path: string,
  store: Store,
): Promise<{ accounts: number; keys: number }> {
  const { accounts } = parseAccountsFile(await readText(path));
  const change = store.changing(ACCOUNTS_FILE);
  let added = 0;
  for (const [at, { keys, ...account }] of accounts.entries()) {
    const { id } = await declareAccount(change, account);
    for (const [keyAt, key] of keys.entries()) {
      await declareKeyOf(change, id, { ...key, field: `accounts[${at}].keys[${keyAt}]` });
      added++;
    }
  }
  return { accounts: accounts.length, keys: added };
}

/** @throws AccountsFileError */
export function parseAccountsFile(text: string): AccountsFile {
  const parsed = fileSchema.safeParse(parseYaml(text));
  if (!parsed.success) throw new AccountsFileError(describeIssue(parsed.error.issues[0]!));
  refuseRepeats(parsed.data);
  return parsed.data;
}

type DeclaredKey = AccountsFile["accounts"][number]["keys"][number];
const digestOf = ({ key, sha256 }: DeclaredKey): string => sha256?.toLowerCase() ?? hashApiKey(key!);

async function declareKeyOf(
  change: Changing,
  accountId: string,
  key: DeclaredKey & { field: string },
): Promise<void> {
  const { field, name: keyName, scopes, expiresAt, revoked } = key;
  try {
    const declared = { accountId, name: keyName, sha256: digestOf(key), scopes, expiresAt };
    const { keyId } = await declareKey(change, declared);
    if (revoked) await revokeKey(change, keyId);
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error;
    throw new AccountsFileError(`${field}: ${error.message}`, { cause: error });
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new AccountsFileError(`${path}: cannot be read (${code})`, { cause });
  }
}

function parseYaml(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // Without its message and cause: both quote the lines around the error, and a key may be among them.
    const line = error.mark ? ` in line ${error.mark.line + 1}` : "";
    throw new AccountsFileError(`the file: is not valid YAML${line}`);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const reason = issue.code === "unrecognized_keys" ? `has an unknown field ${issue.keys[0]}` : issue.message;
  return `${fieldPath(issue.path)}: ${reason}`;
}

function fieldPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return text.replace(/^\./, "") || "the file";
}

function refuseRepeats({ accounts }: AccountsFile): void {
  const accountNames = new Set<string>();
  const digests = new Set<string>();
  accounts.forEach((account, at) => {
    refuseRepeat(accountNames, account.name, `accounts[${at}].name: is used twice`);
    const keyNames = new Set<string>();
    account.keys.forEach((key, keyAt) => {
      const field = `accounts[${at}].keys[${keyAt}]`;
      refuseRepeat(keyNames, key.name, `${field}.name: is used twice in this account`);
      refuseRepeat(
        digests,
        digestOf(key),
        `${field}.${key.key === undefined ? "sha256" : "key"}: is used twice`,
      );
    });
  });
}

function refuseRepeat(seen: Set<string>, value: string, message: string): void {
  if (seen.has(value)) throw new AccountsFileError(message);
  seen.add(value);
}
