import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { InviteAdministratorDialog } from "../members/invite.tsx";
import { Badge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatDay, formatTime } from "../parts/time.ts";
import { ROLE_LABELS } from "../parts/words.ts";
import { trpc, type Outputs } from "../trpc.ts";
import { Permitted } from "../session/permitted.tsx";
import { OpenLinks } from "./open-links.tsx";
import { UserActions } from "./user-actions.tsx";

export type UserItem = Outputs["users"]["list"][number];

export const UsersPage = (): ReactNode => (
  <Permitted permission="accounts:administer" title="Users">
    <Users />
  </Permitted>
);

/** Everybody who may sign in, in all accounts. */
function Users(): ReactNode {
  const query = useQuery(trpc.users.list.queryOptions({}));
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<string>();
  return (
    <Page
      title="Users"
      lead="The users of all accounts. Owners invite the members of their account themselves."
      actions={
        <Button look="primary" onClick={() => setInviting(true)}>
          Invite an administrator
        </Button>
      }
    >
      <Panel title="All users" flush>
        <Loaded query={query}>
          {(users) => (
            <Table caption="Users" columns={columnsOf(setLink)} rows={users} keyOf={({ id }) => id} />
          )}
        </Loaded>
      </Panel>
      <OpenLinks />
      {isInviting && <InviteAdministratorDialog onInvited={setLink} onClose={() => setInviting(false)} />}
      {link && (
        <SecretDialog
          title="Send this link to the user"
          what="One-time link"
          secret={link}
          onClose={() => setLink(undefined)}
        />
      )}
    </Page>
  );
}

const columnsOf = (onLink: (url: string) => void): Column<UserItem>[] => [
  {
    label: "Name",
    cell: ({ name, email }) => (
      <div>
        <strong>{name}</strong>
        <div>{email}</div>
      </div>
    ),
  },
  {
    label: "Roles",
    cell: ({ isAdministrator, memberships }) => (
      <div>
        {isAdministrator && <div>Administrator</div>}
        {memberships.map(({ accountName, role }) => (
          <div key={accountName}>
            {ROLE_LABELS[role]} of {accountName}
          </div>
        ))}
      </div>
    ),
  },
  {
    label: "Status",
    cell: ({ disabledAt }) => (
      <Badge tone={disabledAt ? "neutral" : "good"}>{disabledAt ? "May not sign in" : "May sign in"}</Badge>
    ),
  },
  {
    label: "Signs in with",
    cell: ({ hasPassword, passkeys }) => (
      <div>
        <div>{hasPassword ? "Password" : "No password"}</div>
        {passkeys > 0 && <div>{passkeys === 1 ? "1 passkey" : `${passkeys} passkeys`}</div>}
      </div>
    ),
  },
  {
    label: "Last sign-in",
    cell: ({ lastSignInAt, createdAt }) => (
      <div>
        <div>{lastSignInAt ? formatTime(lastSignInAt) : "Never"}</div>
        <div>User since {formatDay(createdAt)}</div>
      </div>
    ),
  },
  { label: "", cell: (user) => <UserActions user={user} onLink={onLink} /> },
];
