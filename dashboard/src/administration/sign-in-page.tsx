import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Facts, Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { ROLE_LABELS } from "../parts/words.ts";
import { trpc, type Outputs } from "../trpc.ts";
import { Permitted } from "../session/permitted.tsx";

type SignInSettings = Outputs["service"]["signIn"];
type Provider = SignInSettings["providers"][number];

export const SignInPage = (): ReactNode => (
  <Permitted permission="accounts:administer" title="Sign-in">
    <SignIn />
  </Permitted>
);

/** How users sign in. Settings and files of the service say so: nothing is changed here. */
function SignIn(): ReactNode {
  const query = useQuery(trpc.service.signIn.queryOptions({}));
  return (
    <Page
      title="Sign-in"
      lead="How users sign in. The settings of the service say so, and a restart reads them again."
    >
      <Loaded query={query}>
        {(settings) => (
          <>
            <Panel title="Passwords and sessions">
              <Facts facts={factsOf(settings)} />
            </Panel>
            <Panel title="Providers" note="OpenID Connect. Groups are mapped to roles at each sign-in." flush>
              {settings.providers.length === 0 ? (
                <Empty title="No providers">
                  GLOVEBOX_OIDC_FILE names the file of providers with which users may sign in.
                </Empty>
              ) : (
                <Table
                  caption="Providers"
                  columns={COLUMNS}
                  rows={settings.providers}
                  keyOf={({ id }) => id}
                />
              )}
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const factsOf = ({ publicUrl, acceptsPasswords }: SignInSettings): Record<string, ReactNode> => ({
  Address: publicUrl ?? "unknown: set GLOVEBOX_PUBLIC_URL",
  Passwords: acceptsPasswords ? "accepted, of 12 characters and more" : "off: users sign in with a provider",
  "Second factor": "passkeys, for users who added one",
  Sessions: "end after 12 hours without a request, and after 30 days",
});

const COLUMNS: Column<Provider>[] = [
  {
    label: "Provider",
    cell: ({ name, issuer }) => (
      <div>
        <strong>{name}</strong>
        <div>{issuer}</div>
      </div>
    ),
  },
  { label: "Client", cell: ({ clientId }) => <code>{clientId}</code> },
  { label: "Redirect URI", cell: ({ redirectUri }) => (redirectUri ? <code>{redirectUri}</code> : "–") },
  { label: "Roles by group", cell: (provider) => <Groups provider={provider} /> },
];

function Groups({ provider: { groupsClaim, administrators, roles } }: { provider: Provider }): ReactNode {
  if (administrators.length === 0 && roles.length === 0) return "None: users need an invitation";
  return (
    <div>
      {administrators.map((group) => (
        <div key={group}>
          <code>{group}</code>: administrator
        </div>
      ))}
      {roles.map(({ group, account, role }) => (
        <div key={`${group} ${account}`}>
          <code>{group}</code>: {ROLE_LABELS[role]} of {account}
        </div>
      ))}
      <div>
        from the claim <code>{groupsClaim}</code>
      </div>
    </div>
  );
}
