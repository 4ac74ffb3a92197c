import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Confirm } from "../parts/dialog.tsx";
import { RowMenu } from "../parts/menu.tsx";
import { afterChange, trpc } from "../trpc.ts";
import type { UserItem } from "./users-page.tsx";

interface UserActionsProps {
  readonly user: UserItem;
  /** Gets the link by which the user sets a new password. */
  readonly onLink: (url: string) => void;
}

/** What administrators may do with a user. */
export function UserActions({ user, onLink }: UserActionsProps): ReactNode {
  const [asked, setAsked] = useState<"administrator" | "disabled" | "signOut" | "reset">();
  const close = (): void => setAsked(undefined);
  const actions = useUserActions({ user, onLink }, close);
  const items = Object.entries(actions).map(([name, { title }]) => ({
    label: title,
    onSelect: () => setAsked(name as keyof typeof actions),
  }));
  const shown = asked && actions[asked];
  return (
    <>
      <RowMenu name={user.email} items={items} />
      {shown && (
        <Confirm
          title={`${shown.title}: ${user.email}?`}
          description={shown.description}
          action={shown.action}
          isOpen
          isPending={shown.isPending}
          onClose={close}
          onConfirm={shown.run}
        />
      )}
    </>
  );
}

function useUserActions({ user, onLink }: UserActionsProps, close: () => void) {
  const { id: userId, email, isAdministrator } = user;
  const isDisabled = user.disabledAt !== null;
  const onSuccess = afterChange(`${email} was changed.`, close);
  const administrator = useMutation(trpc.users.setAdministrator.mutationOptions({ onSuccess }));
  const disabled = useMutation(trpc.users.setDisabled.mutationOptions({ onSuccess }));
  const signOut = useMutation(trpc.users.signOutEverywhere.mutationOptions({ onSuccess }));
  const reset = useMutation(
    trpc.users.resetPassword.mutationOptions({
      onSuccess({ url }) {
        close();
        onLink(url);
      },
    }),
  );
  return {
    administrator: {
      ...(isAdministrator ? REVOKE_ADMINISTRATOR : MAKE_ADMINISTRATOR),
      isPending: administrator.isPending,
      run: () => administrator.mutate({ userId, isAdministrator: !isAdministrator }),
    },
    disabled: {
      ...(isDisabled ? ENABLE : DISABLE),
      isPending: disabled.isPending,
      run: () => disabled.mutate({ userId, isDisabled: !isDisabled }),
    },
    signOut: { ...SIGN_OUT, isPending: signOut.isPending, run: () => signOut.mutate({ userId }) },
    reset: { ...RESET, isPending: reset.isPending, run: () => reset.mutate({ userId }) },
  };
}

const MAKE_ADMINISTRATOR = {
  title: "Make an administrator",
  description: "The user may do everything in every account.",
  action: "Make an administrator",
};
const REVOKE_ADMINISTRATOR = {
  title: "Revoke administration",
  description: "The user is signed out, and keeps only the roles in accounts.",
  action: "Revoke",
};
const DISABLE = {
  title: "Disable",
  description: "The user is signed out everywhere, and may not sign in any more.",
  action: "Disable",
};
const ENABLE = { title: "Enable", description: "The user may sign in again.", action: "Enable" };
const SIGN_OUT = {
  title: "Sign out everywhere",
  description: "Every session of the user ends. The user may sign in again.",
  action: "Sign out everywhere",
};
const RESET = {
  title: "Reset the password",
  description: "You get a link that works once, within a day. The old password stays valid until it is used.",
  action: "Make a link",
};
