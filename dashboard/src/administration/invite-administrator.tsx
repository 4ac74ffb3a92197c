import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Form, FormActions, TextField } from "../parts/form.tsx";
import { refreshAll, trpc } from "../trpc.ts";

export function InviteAdministratorDialog({
  onInvited,
  onClose,
}: {
  /** Gets the link. */
  onInvited: (url: string) => void;
  onClose: () => void;
}): ReactNode {
  const [email, setEmail] = useState("");
  const invite = useMutation(
    trpc.users.inviteAdministrator.mutationOptions({
      async onSuccess({ url }) {
        onClose();
        onInvited(url);
        await refreshAll();
      },
    }),
  );
  return (
    <Dialog
      title="Invite an administrator"
      description="Administrators may do everything in every account. You get a link that works once, within seven days."
      isOpen
      onClose={onClose}
    >
      <Form onSubmit={() => invite.mutate({ email })}>
        <TextField
          label="E-mail address"
          type="email"
          required
          maxLength={200}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          problem={invite.error?.message}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={invite.isPending}>
            Invite
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
