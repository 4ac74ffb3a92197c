import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Badge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatDay } from "../parts/time.ts";
import { ROLE_LABELS } from "../parts/words.ts";
import { usePermission } from "../session/use-session.ts";
import { trpc, type Outputs } from "../trpc.ts";
import { Invitations } from "./invitations.tsx";
import { InviteMemberDialog } from "./invite.tsx";
import { MemberActions } from "./member-actions.tsx";

export type Member = Outputs["account"]["members"][number];

/** Who may sign in to the account, and who is invited. */
export function MembersPage(): ReactNode {
  const query = useQuery(trpc.account.members.queryOptions({}));
  const mayWrite = usePermission("members:write");
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<string>();
  return (
    <Page
      title="Members"
      lead="Owners may do everything in the account, members scan and decide, viewers read."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setInviting(true)}>
            Invite a member
          </Button>
        )
      }
    >
      <Panel title="Members of the account" flush>
        <Loaded query={query}>
          {(members) => (
            <Table
              caption="Members"
              columns={mayWrite ? [...COLUMNS, ACTIONS] : COLUMNS}
              rows={members}
              keyOf={({ userId }) => userId}
            />
          )}
        </Loaded>
      </Panel>
      {mayWrite && <Invitations />}
      {isInviting && <InviteMemberDialog onInvited={setLink} onClose={() => setInviting(false)} />}
      {link && (
        <SecretDialog
          title="Send this link to the person you invited"
          what="Invitation link"
          secret={link}
          onClose={() => setLink(undefined)}
        />
      )}
    </Page>
  );
}

const COLUMNS: Column<Member>[] = [
  {
    label: "Name",
    cell: ({ name, email }) => (
      <div>
        <strong>{name}</strong>
        <div>{email}</div>
      </div>
    ),
  },
  { label: "Role", cell: ({ role }) => ROLE_LABELS[role] },
  { label: "Role given by", cell: ({ issuer }) => (issuer === null ? "An owner" : "The sign-in provider") },
  {
    label: "Status",
    cell: ({ isDisabled }) => (
      <Badge tone={isDisabled ? "neutral" : "good"}>{isDisabled ? "May not sign in" : "May sign in"}</Badge>
    ),
  },
  { label: "Since", cell: ({ createdAt }) => formatDay(createdAt) },
];

const ACTIONS: Column<Member> = { label: "", cell: (member) => <MemberActions member={member} /> };
