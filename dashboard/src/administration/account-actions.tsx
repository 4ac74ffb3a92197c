import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { pathInAccount } from "../account.ts";
import { Confirm } from "../parts/dialog.tsx";
import { RowMenu } from "../parts/menu.tsx";
import { afterChange, trpc } from "../trpc.ts";
import { AccountDialog } from "./account-form.tsx";
import type { AccountItem } from "./accounts-page.tsx";

/** What administrators may do with an account. */
export function AccountActions({ account }: { account: AccountItem }): ReactNode {
  const { id: accountId, name } = account;
  const isSuspended = account.suspendedAt !== null;
  const [asked, setAsked] = useState<"edit" | "suspend">();
  const close = (): void => setAsked(undefined);
  const suspend = useMutation(
    trpc.accounts.setSuspended.mutationOptions({
      onSuccess: afterChange(`${name} was ${isSuspended ? "resumed" : "suspended"}.`, close),
    }),
  );
  const action = isSuspended ? "Resume" : "Suspend";
  return (
    <>
      <RowMenu
        name={name}
        items={[
          {
            label: "Open",
            onSelect: () => globalThis.location.assign(pathInAccount({ id: accountId, name })),
          },
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
