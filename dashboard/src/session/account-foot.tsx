import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { pathInAccount } from "../account.ts";
import { SelectField } from "../parts/form.tsx";
import { trpc } from "../trpc.ts";
import styles from "./session.module.css";
import { useSession, type SignedInUser } from "./use-session.ts";

/** Who is signed in, and for which account. */
export function AccountFoot(): ReactNode {
  const user = useSession();
  if (!user) return null;
  return (
    <div className={styles["who"]}>
      {user.isAdministrator || user.memberships.length > 1 ? (
        <AccountChoice user={user} />
      ) : (
        <strong>{user.account?.name}</strong>
      )}
      <Link to="/settings">{user.email}</Link>
      <form method="post" action="/sign-out">
        <Button type="submit" size="small">
          Sign out
        </Button>
      </form>
    </div>
  );
}

/** More are found on the page of all accounts. */
const MAX_ACCOUNTS = 100;

/** Opens another account: one of the user's, or any for an administrator, who may be a member of none. */
function AccountChoice({
  user: { account, memberships, isAdministrator },
}: {
  user: SignedInUser;
}): ReactNode {
  const all = useQuery(
    trpc.accounts.list.queryOptions({ limit: MAX_ACCOUNTS }, { enabled: isAdministrator }),
  );
  const options = Object.fromEntries([
    ...(account ? [[account.id, account.name]] : []),
    ...memberships.map(({ accountId, accountName }) => [accountId, accountName]),
    ...(all.data ?? []).map(({ id, name }) => [id, name]),
  ]);
  return (
    <SelectField
      label="Account"
      value={account?.id ?? ""}
      options={options}
      {...(account ? {} : { none: "Choose an account" })}
      onChange={(id) =>
        id !== undefined && globalThis.location.assign(pathInAccount({ id, name: options[id]! }))
      }
    />
  );
}
