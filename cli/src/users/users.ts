import { type Role, normalEmail } from "@glovebox/contract";
import {
  hashSecret,
  newToken,
  COMMAND_LINE,
  type Account,
  type Invitation,
  type Store,
  type User,
  type UserRow,
} from "@glovebox/store";
import { UserError } from "../command-line.ts";
import { withStore } from "../database.ts";
import type { ServiceDatabase } from "../service-database.ts";

const INVITATION_DAYS = 7;
const RESET_DAYS = 1;

export interface UsersOverview {
  readonly users: readonly UserRow[];
  readonly invitations: readonly Invitation[];
  /** Accounts whose owner, of the accounts file, is neither a user nor invited. */
  readonly owners: readonly Pick<Account, "name" | "owner">[];
}

/** @throws UserError when the database cannot be reached or used; so do the functions below. */
export const listUsers = (database: ServiceDatabase): Promise<UsersOverview> =>
  withStore(database, async (store) => {
    const [users, invitations, accounts] = await Promise.all([
      store.users.list(),
      store.invitations.list(),
      store.accounts.listOwned(),
    ]);
    const known = new Set([...users, ...invitations].map(({ email }) => email));
    const owners = accounts.filter(({ owner }) => !known.has(owner?.toLowerCase() ?? null));
    return { users, invitations, owners };
  });

/** A one-time link for a new user. Without an address it is for the owner that the accounts file names for the account. */
export const invite = (
  options: {
    readonly email?: string | undefined;
    readonly account?: string | undefined;
    readonly role?: Role | undefined;
    readonly administrator?: boolean | undefined;
  },
  database: ServiceDatabase,
): Promise<string> =>
  withStore(database, async (store) => {
    const { account: name, administrator: isAdministrator = false } = options;
    if (name === undefined && !isAdministrator)
      throw new UserError("--account: say which account to join, or use --administrator");
    const account = name === undefined ? undefined : await accountOf(store, name);
    const email = parseEmail("--email", options.email ?? account?.owner ?? undefined);
    const role = options.role ?? (options.email === undefined ? "owner" : "member");
    const membership = account && { accountId: account.id, role };
    const token = newToken();
    const invitation = { sha256: hashSecret(token), email, membership, isAdministrator };
    return store.changing(
      COMMAND_LINE,
      account?.id,
    )(async ({ invitations }) => {
      await invitations.create({ ...invitation, days: INVITATION_DAYS });
      const action = account ? "member.invite" : "user.inviteAdministrator";
      const after = account && { role, isAdministrator };
      return { result: linkOf(token, database), entry: { action, subject: email, after } };
    });
  });

async function accountOf({ accounts }: Store, name: string): Promise<Account> {
  const account = await accounts.find(name);
  if (!account) throw new UserError("--account: not found");
  return account;
}

/** A one-time link with which the user sets a new password. */
export const resetLink = (
  email: string,
  { withoutPasskeys }: { withoutPasskeys: boolean },
  database: ServiceDatabase,
): Promise<string> =>
  withStore(database, async (store) => {
    const { id, email: subject } = await userOf(store, email);
    const token = newToken();
    return store.changing(COMMAND_LINE)(async ({ invitations, passkeys }) => {
      const passkeysRemoved = withoutPasskeys ? await passkeys.removeAll(id) : 0;
      await invitations.create({ sha256: hashSecret(token), email: null, userId: id, days: RESET_DAYS });
      const entry = { action: "user.resetPassword", subject, after: { passkeysRemoved } };
      return { result: linkOf(token, database), entry };
    });
  });

/** Disables or enables a user, or changes whether it is an administrator; ends the sessions of the user. */
export const changeUser = (
  email: string,
  to: { isDisabled: boolean } | { isAdministrator: boolean },
  database: ServiceDatabase,
): Promise<void> =>
  withStore(database, async (store) => {
    const user = await userOf(store, email);
    await store.changing(COMMAND_LINE)(async ({ users }) => {
      if ("isDisabled" in to) await users.setDisabled(user.id, to.isDisabled);
      else await users.setAdministrator(user.id, to.isAdministrator);
      return { result: undefined, entry: { subject: user.email, ...changeOf(user, to) } };
    });
  });

const changeOf = (user: User, to: { isDisabled: boolean } | { isAdministrator: boolean }) =>
  "isDisabled" in to
    ? {
        action: to.isDisabled ? "user.disable" : "user.enable",
        before: { isDisabled: user.disabledAt !== null },
      }
    : {
        action: "user.setAdministrator",
        before: { isAdministrator: user.isAdministrator },
        after: { isAdministrator: to.isAdministrator },
      };

async function userOf({ users }: Store, email: string): Promise<User> {
  const user = await users.findByEmail(parseEmail("EMAIL", email));
  if (!user) throw new UserError("EMAIL: not found");
  return user;
}

function parseEmail(option: string, text: string | undefined): string {
  const email = normalEmail(text ?? "");
  if (email === undefined) throw new UserError(`${option}: must be an e-mail address`);
  return email;
}

/** Without a public URL, the path alone. */
const linkOf = (token: string, { publicUrl = "" }: ServiceDatabase): string =>
  `${publicUrl}/invitation/${token}`;
