import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Badge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatAgo, formatDay, formatTime } from "../parts/time.ts";
import { usePermission } from "../session/use-session.ts";
import { trpc, type Outputs } from "../trpc.ts";
import { CreateKeyDialog, NewKeyDialog } from "./create-key.tsx";
import { KeyActions } from "./key-actions.tsx";

type Key = Outputs["keys"]["list"][number];

/** The API keys of the account. */
export function KeysPage(): ReactNode {
  const query = useQuery(trpc.keys.list.queryOptions({}));
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const mayWrite = usePermission("keys:write");
  const columns = columnsOf({ now: new Date(), onRotated: mayWrite ? setSecret : undefined });
  return (
    <Page
      title="API keys"
      lead="Programs call the REST interface with a key. A revoked key is refused within five seconds."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setCreating(true)}>
            Create a key
          </Button>
        )
      }
    >
      <Panel title="Keys" flush>
        <Loaded query={query}>
          {(keys) =>
            keys.length === 0 ? (
              <Empty title="No keys yet">
                Create one for each program, so that each can be revoked by itself.
              </Empty>
            ) : (
              <Table caption="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
      {isCreating && <CreateKeyDialog onCreated={setSecret} onClose={() => setCreating(false)} />}
      {secret && <NewKeyDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

interface ColumnOptions {
  readonly now: Date;
  /** Undefined where keys may only be read. */
  readonly onRotated: ((key: string) => void) | undefined;
}

const columnsOf = ({ now, onRotated }: ColumnOptions): Column<Key>[] => [
  { label: "Name", cell: ({ name }) => <strong>{name}</strong> },
  { label: "Scopes", cell: ({ scopes }) => (scopes.length === 0 ? "Everything" : scopes.join(", ")) },
  { label: "Status", cell: (key) => <KeyStatus apiKey={key} now={now} /> },
  { label: "Created", cell: ({ createdAt }) => formatDay(createdAt) },
  { label: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt ? formatAgo(lastUsedAt, now) : "Never") },
  ...(onRotated ? [actionsColumn(onRotated)] : []),
];

const actionsColumn = (onRotated: (key: string) => void): Column<Key> => ({
  label: "",
  cell: ({ id, name, revokedAt }) =>
    revokedAt === null && <KeyActions id={id} name={name} onRotated={onRotated} />,
});

function KeyStatus({ apiKey: { revokedAt, expiresAt }, now }: { apiKey: Key; now: Date }): ReactNode {
  if (revokedAt) return <Badge tone="neutral">Revoked</Badge>;
  if (!expiresAt) return <Badge tone="good">Valid</Badge>;
  return new Date(expiresAt) <= now ? (
    <Badge tone="neutral">Expired</Badge>
  ) : (
    <Badge tone="good">Until {formatTime(expiresAt)}</Badge>
  );
}
