import type { Role } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { FormDialog } from "../parts/dialog.tsx";
import { SelectField, TextField } from "../parts/form.tsx";
import { ROLE_LABELS } from "../parts/words.ts";
import { refreshAll, trpc } from "../trpc.ts";

export interface InviteProps {
  /** Gets the link. */
  readonly onInvited: (url: string) => void;
  readonly onClose: () => void;
}

/** Invites a member of the account in view. */
export function InviteMemberDialog(props: InviteProps): ReactNode {
  const [role, setRole] = useState<Role>("member");
  const invite = useMutation(trpc.account.invite.mutationOptions({ onSuccess: invited(props) }));
  return (
    <InviteDialog
      title="Invite a member"
      description="You get a link that works once, within seven days."
      invitation={invite}
      onSubmit={(email) => invite.mutate({ email, role })}
      onClose={props.onClose}
    >
      <SelectField
        label="Role"
        value={role}
        options={ROLE_LABELS}
        onChange={(value) => value && setRole(value)}
      />
    </InviteDialog>
  );
}

export function InviteAdministratorDialog(props: InviteProps): ReactNode {
  const invite = useMutation(trpc.users.inviteAdministrator.mutationOptions({ onSuccess: invited(props) }));
  return (
    <InviteDialog
      title="Invite an administrator"
      description="Administrators may do everything in every account. You get a link that works once, within seven days."
      invitation={invite}
      onSubmit={(email) => invite.mutate({ email })}
      onClose={props.onClose}
    />
  );
}

const invited =
  ({ onInvited, onClose }: InviteProps) =>
  async ({ url }: { url: string }): Promise<void> => {
    onClose();
    onInvited(url);
    await refreshAll();
  };

interface InviteDialogProps {
  readonly title: string;
  readonly description: string;
  readonly invitation: { readonly isPending: boolean; readonly error: { message: string } | null };
  readonly onSubmit: (email: string) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

function InviteDialog({ invitation, onSubmit, children, ...dialog }: InviteDialogProps): ReactNode {
  const [email, setEmail] = useState("");
  return (
    <FormDialog
      {...dialog}
      action="Invite"
      isDisabled={invitation.isPending}
      onSubmit={() => onSubmit(email)}
    >
      <TextField
        label="E-mail address"
        type="email"
        required
        maxLength={200}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        problem={invitation.error?.message}
      />
      {children}
    </FormDialog>
  );
}
