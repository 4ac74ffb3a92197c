import type { IdentitySummary } from "@glovebox/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import { usePermission } from "../session/use-session.ts";
import type { IdentitySet } from "../scans/new-scan-values.ts";
import { afterChange, trpc } from "../trpc.ts";

/** The saved sets of the account: names, and never a value. For those who may use them. */
export const IdentitySetsPanel = (): ReactNode =>
  usePermission("identities:read") ? (
    <Panel
      title="Saved identities"
      note="For scans that sign in. Values are encrypted and are not shown."
      flush
    >
      <IdentitySets />
    </Panel>
  ) : null;

function IdentitySets(): ReactNode {
  const query = useQuery(trpc.identitySets.list.queryOptions({}));
  const mayDelete = usePermission("identities:write");
  return (
    <Loaded query={query}>
      {(sets) =>
        sets.length === 0 ? (
          <Empty title="No saved identities">Paste identities for a new scan, and save them as a set.</Empty>
        ) : (
          <Table
            caption="Saved identities"
            columns={mayDelete ? [...COLUMNS, DELETE_COLUMN] : COLUMNS}
            rows={sets}
            keyOf={({ id }) => id}
          />
        )
      }
    </Loaded>
  );
}

const COLUMNS: Column<IdentitySet>[] = [
  { label: "Name", cell: ({ name }) => name },
  { label: "Target", cell: ({ origin }) => origin },
  {
    label: "Identities",
    cell: ({ summary }) =>
      summary.map((identity) => <div key={identity.name}>{identityInWords(identity)}</div>),
  },
  { label: "Saved", cell: ({ savedAt }) => formatTime(savedAt) },
];

const DELETE_COLUMN: Column<IdentitySet> = { label: "", cell: (set) => <DeleteSet {...set} /> };

const names = new Intl.ListFormat("en");

/** Such as `alice (user): Authorization`. */
function identityInWords({ name, role, headers, cookies, query, login }: IdentitySummary): string {
  const credentials = [...headers, ...cookies, ...query, ...(login ? ["sign-in"] : [])];
  return `${name} (${role}): ${names.format(credentials)}`;
}

function DeleteSet({ id, name }: IdentitySet): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const remove = useMutation(
    trpc.identitySets.delete.mutationOptions({ onSuccess: afterChange(`${name} was deleted.`, close) }),
  );
  return (
    <>
      <Button size="small" look="danger" onClick={() => setAsked(true)}>
        Delete<span className="visually-hidden"> {name}</span>
      </Button>
      <Confirm
        title={`Delete ${name}?`}
        description="Scans can no longer sign in with it, and runs of schedules that name it fail. Scans that are running are not affected."
        action="Delete"
        isOpen={isAsked}
        isPending={remove.isPending}
        onClose={close}
        onConfirm={() => remove.mutate({ id })}
      />
    </>
  );
}
