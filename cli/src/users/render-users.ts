import { plainText } from "@glovebox/report";
import { renderColumns } from "../text-columns.ts";
import type { UsersOverview } from "./users.ts";

/** A table of the users, and below it who is invited and whom the accounts file names as owner. */
export function renderUsers({ users, invitations, owners }: UsersOverview): string {
  const table = renderColumns(users, [
    ["EMAIL", ({ email }) => plainText(email)],
    ["NAME", ({ name }) => plainText(name)],
    ["ADMINISTRATOR", ({ isAdministrator }) => (isAdministrator ? "yes" : "-")],
    ["ACCOUNTS", ({ memberships }) => membershipsOf(memberships)],
    ["SECOND FACTOR", ({ passkeys }) => (passkeys > 0 ? `${passkeys} passkeys` : "-")],
    ["STATE", ({ disabledAt }) => (disabledAt ? "disabled" : "enabled")],
  ]);
  const open = invitations.map(({ email, userId, accountName, expiresAt }) => {
    const what =
      userId === null ? `Invited: ${plainText(email ?? "the first administrator")}` : "New password";
    const to = accountName === null ? "" : ` to ${plainText(accountName)}`;
    return `${what}${to}, until ${expiresAt.toISOString().slice(0, 10)}`;
  });
  const waiting = owners.map(
    ({ name, owner }) =>
      `Owner of ${plainText(name)} in the accounts file, not invited: ${plainText(owner ?? "")} (glovebox users invite --account ${plainText(name)})`,
  );
  return [table, ...open, ...waiting].join("\n");
}

const membershipsOf = (memberships: UsersOverview["users"][number]["memberships"]): string =>
  memberships.map(({ accountName, role }) => `${plainText(accountName)} (${role})`).join(", ") || "-";
