import type { Role } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Form, FormActions, SelectField, TextField } from "../parts/form.tsx";
import { ROLE_LABELS } from "../parts/words.ts";
import { refreshAll, trpc } from "../trpc.ts";

export function InviteDialog({
  onInvited,
  onClose,
}: {
  /** Gets the link. */
  onInvited: (url: string) => void;
  onClose: () => void;
}): ReactNode {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = useMutation(
    trpc.account.invite.mutationOptions({
      async onSuccess({ url }) {
        onClose();
        onInvited(url);
        await refreshAll();
      },
    }),
  );
  return (
    <Dialog
      title="Invite someone"
      description="You get a link that works once, within seven days."
      isOpen
      onClose={onClose}
    >
      <Form onSubmit={() => invite.mutate({ email, role })}>
        <TextField
          label="E-mail address"
          type="email"
          required
          maxLength={200}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          problem={invite.error?.message}
        />
        <SelectField
          label="Role"
          value={role}
          options={ROLE_LABELS}
          onChange={(value) => value && setRole(value)}
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
