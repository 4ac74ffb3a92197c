import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Confirm } from "../parts/dialog.tsx";
import { Menu } from "../parts/menu.tsx";
import { notify } from "../parts/toasts.tsx";
import { refreshAll, trpc } from "../trpc.ts";
import { AccountDialog } from "./account-form.tsx";
import type { AccountItem } from "./accounts-page.tsx";

/** What administrators may do with an account. */
export function AccountActions({ account }: { account: AccountItem }): ReactNode {
  const { id: accountId, name } = account;
  const isSuspended = account.suspendedAt !== null;
  const [asked, setAsked] = useState<"edit" | "suspend">();
  const close = (): void => setAsked(undefined);
  const done = (message: string) => async (): Promise<void> => {
    close();
    await refreshAll();
    notify(message);
  };
  const suspend = useMutation(
    trpc.accounts.setSuspended.mutationOptions({
      onSuccess: done(`${name} was ${isSuspended ? "resumed" : "suspended"}.`),
    }),
  );
  const view = useMutation(
    trpc.session.selectAccount.mutationOptions({ onSuccess: done(`${name} is in view.`) }),
  );
  const action = isSuspended ? "Resume" : "Suspend";
  return (
    <>
      <Menu
        size="small"
        label={
          <>
            Change<span className="visually-hidden"> {name}</span>
          </>
        }
        items={[
          { label: "View its pages", onSelect: () => view.mutate({ accountId }) },
          { label: "Edit", onSelect: () => setAsked("edit") },
          { label: action, onSelect: () => setAsked("suspend") },
        ]}
      />
      {asked === "edit" && <AccountDialog account={account} onClose={close} />}
      <Confirm
        title={`${action} ${name}?`}
        description={
          isSuspended
            ? "Its keys work again, and it can start scans."
            : "Its keys are refused, it starts no scans, and its members can only read."
        }
        action={action}
        isOpen={asked === "suspend"}
        isPending={suspend.isPending}
        onClose={close}
        onConfirm={() => suspend.mutate({ accountId, isSuspended: !isSuspended })}
      />
    </>
  );
}
