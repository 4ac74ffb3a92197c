import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Badge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Facts, Page, Panel } from "../parts/page.tsx";
import { Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatAgo, formatTime } from "../parts/time.ts";
import { afterChange, refreshAll, trpc, type Outputs } from "../trpc.ts";
import { useSession } from "../session/use-session.ts";
import { IdentitySetsPanel } from "./identity-sets-panel.tsx";

type Session = Outputs["session"]["list"][number];

/** The user, the account in view, and where the user is signed in. */
export function SettingsPage(): ReactNode {
  const user = useSession();
  return (
    <Page title="Settings">
      {user && (
        <Panel title="You" actions={<a href="/profile">Password and passkeys</a>}>
          <Facts
            facts={{
              "E-mail address": user.email,
              Name: user.name,
              Account: user.account?.name,
              Plan: user.account?.plan,
              Role: user.account?.role ?? (user.isAdministrator ? "administrator" : undefined),
              "Second factor": user.hasSecondFactor ? "Used in this session" : "Not used in this session",
            }}
          />
        </Panel>
      )}
      <Sessions />
      <IdentitySetsPanel />
    </Page>
  );
}

function Sessions(): ReactNode {
  const query = useQuery(trpc.session.list.queryOptions({}));
  const signOut = useMutation(
    trpc.session.signOutEverywhere.mutationOptions({
      onSuccess: afterChange(({ ended }) =>
        ended === 1 ? "One other session was ended." : `${ended} other sessions were ended.`,
      ),
    }),
  );
  const isAlone = (query.data?.length ?? 0) < 2;
  return (
    <Panel
      title="Active sessions"
      flush
      actions={
        <Button size="small" disabled={isAlone || signOut.isPending} onClick={() => signOut.mutate({})}>
          Sign out everywhere else
        </Button>
      }
    >
      <Loaded query={query}>
        {(sessions) => (
          <Table caption="Sessions" columns={columnsOf(new Date())} rows={sessions} keyOf={({ id }) => id} />
        )}
      </Loaded>
    </Panel>
  );
}

const columnsOf = (now: Date): Column<Session>[] => [
  { label: "Browser", cell: ({ agent }) => agent ?? "Unknown" },
  { label: "Address", cell: ({ ip }) => ip ?? "Unknown" },
  { label: "Signed in", cell: ({ createdAt }) => formatTime(createdAt) },
  { label: "Last seen", cell: ({ seenAt }) => formatAgo(seenAt, now) },
  {
    label: "",
    cell: (session) =>
      session.isCurrent ? <Badge tone="good">This session</Badge> : <EndSession {...session} />,
  },
];

function EndSession({ id, agent }: Session): ReactNode {
  const end = useMutation(trpc.session.end.mutationOptions({ onSuccess: refreshAll }));
  return (
    <Button size="small" look="danger" disabled={end.isPending} onClick={() => end.mutate({ sessionId: id })}>
      End<span className="visually-hidden"> the session of {agent ?? "an unknown browser"}</span>
    </Button>
  );
}
