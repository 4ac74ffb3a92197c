import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Confirm, FormDialog } from "../parts/dialog.tsx";
import { SelectField } from "../parts/form.tsx";
import { RowMenu } from "../parts/menu.tsx";
import { ROLE_LABELS } from "../parts/words.ts";
import { afterChange, trpc } from "../trpc.ts";
import type { Member } from "./members-page.tsx";

/** What owners may do with a member. */
export function MemberActions({ member }: { member: Member }): ReactNode {
  const { userId, email } = member;
  const [asked, setAsked] = useState<"role" | "remove">();
  const close = (): void => setAsked(undefined);
  const remove = useMutation(
    trpc.account.removeMember.mutationOptions({ onSuccess: afterChange(`${email} was removed.`, close) }),
  );
  return (
    <>
      <RowMenu
        name={email}
        items={[
          { label: "Change the role", onSelect: () => setAsked("role") },
          { label: "Remove", onSelect: () => setAsked("remove") },
        ]}
      />
      {asked === "role" && <RoleDialog member={member} onClose={close} />}
      <Confirm
        title={`Remove ${email}?`}
        description="The user is signed out, and has no access to this account any more. Keys and scans stay."
        action="Remove"
        isOpen={asked === "remove"}
        isPending={remove.isPending}
        onClose={close}
        onConfirm={() => remove.mutate({ userId })}
      />
    </>
  );
}

function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const { userId, email, issuer } = member;
  const [role, setRole] = useState(member.role);
  const change = useMutation(
    trpc.account.setRole.mutationOptions({
      onSuccess: afterChange(`${email} has the role ${ROLE_LABELS[role]}.`, onClose),
    }),
  );
  return (
    <FormDialog
      title={`Role of ${email}`}
      description="The user is signed out, and has the new role from the next sign-in on."
      action="Save"
      isDisabled={change.isPending}
      onSubmit={() => change.mutate({ userId, role })}
      onClose={onClose}
    >
      <SelectField
        label="Role"
        value={role}
        options={ROLE_LABELS}
        onChange={(value) => value && setRole(value)}
        help={
          issuer === null
            ? undefined
            : "The sign-in provider may assign a different role at the next sign-in."
        }
      />
    </FormDialog>
  );
}
