import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { SelectField } from "../parts/form.tsx";
import { refreshAll, trpc } from "../trpc.ts";
import styles from "./session.module.css";
import { useSession, type SignedInUser } from "./use-session.ts";

/** Who is signed in, and for which account. */
export function AccountFoot(): ReactNode {
  const user = useSession();
  if (!user) return null;
  return (
    <div className={styles["who"]}>
      {user.memberships.length > 1 ? <AccountChoice user={user} /> : <strong>{user.account?.name}</strong>}
      <Link to="/settings">{user.email}</Link>
      <form method="post" action="/sign-out">
        <Button type="submit" size="small">
          Sign out
        </Button>
      </form>
    </div>
  );
}

/** Puts another account of the user into view. */
function AccountChoice({ user: { account, memberships } }: { user: SignedInUser }): ReactNode {
  const select = useMutation(trpc.session.selectAccount.mutationOptions({ onSuccess: refreshAll }));
  const options = Object.fromEntries(
    memberships.map(({ accountId, accountName }) => [accountId, accountName]),
  );
  return (
    <SelectField
      label="Account"
      value={account?.id ?? ""}
      options={options}
      onChange={(accountId) => accountId !== undefined && select.mutate({ accountId })}
    />
  );
}
