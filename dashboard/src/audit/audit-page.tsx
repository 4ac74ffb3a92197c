import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { FilterChips, chipOf } from "../parts/filter-chips.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { FormActions, SelectField } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import { usePermission, useSession } from "../session/use-session.ts";
import { trpc, type Outputs } from "../trpc.ts";
import type { Change } from "../url/search-state.ts";
import { useSearchChange } from "../url/use-search-change.ts";
import { AREAS, type auditSearch } from "./audit-search.ts";

type Entry = Outputs["audit"]["list"][number];

const PAGE_SIZE = 50;

/** Who changed what in the account, with the values before and after. */
export function AuditPage(): ReactNode {
  const search = useSearch({ from: "/audit" });
  const change = useSearchChange(search);
  const { query, mayReadAll, isAll } = useEntries(search);
  return (
    <Page title="Audit log" lead="Every change: who made it, from where, and what it changed.">
      <Panel title="Changes" flush>
        <AuditFilters
          search={search}
          accounts={mayReadAll ? (isAll ? "all" : "own") : undefined}
          onChange={change}
        />
        <Loaded query={query}>
          {(entries) => (
            <Entries
              entries={entries}
              columns={isAll ? COLUMNS_OF_ALL : COLUMNS}
              olderThan={search.olderThan}
              onChange={change}
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

type Search = ReturnType<typeof auditSearch>;

function AuditFilters({
  search: { area, olderThan },
  accounts,
  onChange,
}: {
  readonly search: Search;
  /** Undefined where only the changes in one account may be read. */
  readonly accounts: Search["accounts"];
  readonly onChange: (change: Change<Search>) => void;
}): ReactNode {
  return (
    <>
      <FilterBar>
        {accounts && (
          <SelectField
            label="Accounts"
            value={accounts}
            options={{ all: "All accounts", own: "This account" }}
            onChange={(accounts) => onChange({ accounts, olderThan: undefined })}
          />
        )}
        <SelectField
          label="About"
          value={area ?? ""}
          none="Everything"
          options={AREAS}
          onChange={(area) => onChange({ area, olderThan: undefined })}
        />
      </FilterBar>
      <FilterChips
        chips={[
          ...chipOf("About", area && AREAS[area], { area: undefined, olderThan: undefined }),
          ...chipOf("Older than entry", olderThan?.toString(), { olderThan: undefined }),
        ]}
        onChange={onChange}
      />
    </>
  );
}

function Entries({
  entries,
  columns,
  olderThan,
  onChange,
}: {
  readonly entries: readonly Entry[];
  readonly columns: readonly Column<Entry>[];
  readonly olderThan: number | undefined;
  readonly onChange: (change: Change<Search>) => void;
}): ReactNode {
  return (
    <>
      {entries.length === 0 ? (
        <Empty title="No changes match" />
      ) : (
        <Table caption="Changes" columns={columns} rows={entries} keyOf={({ id }) => String(id)} />
      )}
      <FormActions>
        <Button
          size="small"
          disabled={olderThan === undefined}
          onClick={() => onChange({ olderThan: undefined })}
        >
          Newest
        </Button>
        <Button
          size="small"
          disabled={entries.length < PAGE_SIZE}
          onClick={() => onChange({ olderThan: entries.at(-1)?.id })}
        >
          Older
        </Button>
      </FormActions>
    </>
  );
}

/** Administrators may read the changes in all accounts, and those that concern none. */
function useEntries({ accounts, area, olderThan }: Search) {
  const mayReadAll = usePermission("accounts:administer");
  const user = useSession();
  const isAll = mayReadAll && (accounts ?? (user?.account ? "own" : "all")) === "all";
  const input = { action: area && `${area}.`, olderThan, limit: PAGE_SIZE };
  const shared = { placeholderData: keepPreviousData };
  const ofAccount = useQuery(
    trpc.audit.list.queryOptions(input, { ...shared, enabled: user !== undefined && !isAll }),
  );
  const ofAll = useQuery(trpc.audit.listAll.queryOptions(input, { ...shared, enabled: isAll }));
  return { query: isAll ? ofAll : ofAccount, mayReadAll, isAll };
}

const COLUMNS: Column<Entry>[] = [
  { label: "When", cell: ({ at }) => formatTime(at) },
  { label: "Who", cell: ({ actor }) => actor },
  { label: "From", cell: ({ ip }) => ip ?? "–" },
  { label: "Change", cell: ({ action }) => <code>{action}</code> },
  { label: "What", cell: ({ subject }) => subject },
  { label: "Before", cell: ({ before }) => <Values fields={before} /> },
  { label: "After", cell: ({ after }) => <Values fields={after} /> },
];

const COLUMNS_OF_ALL: Column<Entry>[] = [
  ...COLUMNS.slice(0, 2),
  { label: "Account", cell: ({ accountName }) => accountName ?? "–" },
  ...COLUMNS.slice(2),
];

function Values({ fields }: { fields: unknown }): ReactNode {
  if (fields === null || typeof fields !== "object") return "–";
  return (
    <div>
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          {name}: <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>
        </div>
      ))}
    </div>
  );
}
