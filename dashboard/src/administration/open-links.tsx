import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { RevokeLink } from "../members/invitations.tsx";
import { Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import { trpc, type Outputs } from "../trpc.ts";

/** Links that nobody has used yet, except invitations to an account, which its owners see. */
export function OpenLinks(): ReactNode {
  const query = useQuery(trpc.users.invitations.queryOptions({}));
  return (
    <Panel title="Open links" flush>
      <Loaded query={query}>
        {(links) =>
          links.length === 0 ? (
            <Empty title="No open links">
              Invitations of administrators and links for a new password are listed here until they are used.
            </Empty>
          ) : (
            <Table caption="Open links" columns={COLUMNS} rows={links} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const COLUMNS: Column<Outputs["users"]["invitations"][number]>[] = [
  { label: "E-mail address", cell: ({ email }) => email ?? "Not given" },
  { label: "For", cell: ({ isForPassword }) => (isForPassword ? "A new password" : "An administrator") },
  { label: "Valid until", cell: ({ expiresAt }) => formatTime(expiresAt) },
  { label: "", cell: (link) => <RevokeLink link={link} by={trpc.users.withdrawInvitation} /> },
];
