import type { ReactNode } from "react";
import { ACCOUNT_PATH, pathInAccount } from "../account.ts";
import { Page } from "../parts/page.tsx";
import { Empty } from "../parts/states.tsx";
import type { SignedInUser } from "./use-session.ts";

/** Instead of a page of an account that does not exist, or that the user has no access to. */
export function NoAccount({ user: { memberships } }: { user: SignedInUser }): ReactNode {
  const accounts = (
    <ul aria-label="Your accounts">
      {memberships.map(({ accountId: id, accountName: name }) => (
        <li key={id}>
          <a href={pathInAccount({ id, name })}>{name}</a>
        </li>
      ))}
    </ul>
  );
  return (
    <Page title="No access">
      <Empty
        title={ACCOUNT_PATH ? "You do not have access to this account" : "No account is open"}
        action={memberships.length > 0 && accounts}
      >
        {ACCOUNT_PATH
          ? "It does not exist, or you are not a member of it. An owner of the account can invite you."
          : "You are not a member of any account. An owner of an account can invite you."}
      </Empty>
    </Page>
  );
}
