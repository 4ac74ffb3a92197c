import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import { ROLE_LABELS } from "../parts/words.ts";
import { afterChange, trpc, type Outputs } from "../trpc.ts";

type Invitation = Outputs["account"]["invitations"][number];

/** The invitations that nobody has used yet. */
export function Invitations(): ReactNode {
  const query = useQuery(trpc.account.invitations.queryOptions({}));
  return (
    <Panel title="Invitations" flush>
      <Loaded query={query}>
        {(invitations) =>
          invitations.length === 0 ? (
            <Empty title="No open invitations">An invitation is a link that works once.</Empty>
          ) : (
            <Table caption="Invitations" columns={COLUMNS} rows={invitations} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const COLUMNS: Column<Invitation>[] = [
  { label: "E-mail address", cell: ({ email }) => email ?? "Not given" },
  { label: "Role", cell: ({ role }) => role && ROLE_LABELS[role] },
  { label: "Valid until", cell: ({ expiresAt }) => formatTime(expiresAt) },
  { label: "", cell: (invitation) => <RevokeLink link={invitation} by={trpc.account.withdrawInvitation} /> },
];

/** Revokes a one-time link, of the account or (for administrators) of none. */
export function RevokeLink({
  link: { id, email },
  by,
}: {
  link: Pick<Invitation, "id" | "email">;
  by: typeof trpc.account.withdrawInvitation | typeof trpc.users.withdrawInvitation;
}): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const name = email ?? "this person";
  const withdraw = useMutation(
    by.mutationOptions({ onSuccess: afterChange(`The link of ${name} was revoked.`, close) }),
  );
  return (
    <>
      <Button size="small" look="danger" onClick={() => setAsked(true)}>
        Revoke<span className="visually-hidden"> the link of {name}</span>
      </Button>
      <Confirm
        title={`Revoke the link of ${name}?`}
        description="It stops working."
        action="Revoke"
        isOpen={isAsked}
        isPending={withdraw.isPending}
        onClose={close}
        onConfirm={() => withdraw.mutate({ id })}
      />
    </>
  );
}
