import type { Category } from "@glovebox/contract";
import { CATEGORIES, CATEGORY_KEYS } from "@glovebox/contract/categories";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { SeverityBadge, StatusBadge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Checkbox, FilterBar, SelectField } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Paged, rangeOf } from "../parts/paged.tsx";
import { Empty } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatDay } from "../parts/time.ts";
import { useSearchChange } from "../url/use-search-change.ts";
import { SEVERITY_LABELS, STATUS_LABELS } from "../parts/words.ts";
import { usePermission } from "../session/use-session.ts";
import { trpc, type Outputs } from "../trpc.ts";
import styles from "./findings.module.css";
import { FINDING_SORT_LABELS } from "./findings-search.ts";
import { TriageDialog, type FindingFilter } from "./triage-dialog.tsx";

type FindingRow = Outputs["findings"]["list"]["items"][number];

const CATEGORY_LABELS = Object.fromEntries(
  CATEGORY_KEYS.map((key) => [key, CATEGORIES[key].title]),
) as Record<Category, string>;

/** Findings over all scans: one weakness of one target is one row. */
export function FindingsPage(): ReactNode {
  const search = useSearch({ from: "/findings" });
  const { q, sort, page, status, severity, category, target } = search;
  const change = useSearchChange(search);
  const filter = { text: q, status, severity, category, target };
  const query = useQuery(
    trpc.findings.list.queryOptions(
      { ...filter, sort, ...rangeOf(page) },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Page title="Findings" lead="Each weakness of a target once, over all scans.">
      <Panel title="All findings" flush>
        <FilterBar
          search={{ label: "Title or place contains", value: q, onChange: (text) => change({ q: text }) }}
        >
          <SelectField
            label="Status"
            value={status?.[0] ?? ""}
            none="Any"
            options={STATUS_LABELS}
            onChange={(value) => change({ status: value && [value] })}
          />
          <SelectField
            label="Severity"
            value={severity?.[0] ?? ""}
            none="Any"
            options={SEVERITY_LABELS}
            onChange={(value) => change({ severity: value && [value] })}
          />
          <SelectField
            label="Category"
            value={category ?? ""}
            none="Any"
            options={CATEGORY_LABELS}
            onChange={(category) => change({ category })}
          />
          <SelectField
            label="Order"
            value={sort ?? "severity"}
            options={FINDING_SORT_LABELS}
            onChange={(sort) => change({ sort })}
          />
        </FilterBar>
        <Paged query={query} page={page} onPage={(page) => change({ page })}>
          {({ items, total }) => (
            <FindingList key={JSON.stringify(search)} items={items} total={total} filter={filter} />
          )}
        </Paged>
      </Panel>
    </Page>
  );
}

interface FindingListProps {
  readonly items: readonly FindingRow[];
  readonly total: number;
  readonly filter: FindingFilter;
}

/** A page of findings, of which some or all that match can be decided about at once. */
function FindingList({ items, total, filter }: FindingListProps): ReactNode {
  const [selected, setSelected] = useState<readonly number[]>([]);
  const [subject, setSubject] = useState<FindingFilter>();
  const mayDecide = usePermission("findings:triage");
  if (items.length === 0) return <Empty title="No finding matches">Remove a filter to see more.</Empty>;
  const toggle = (id: number): void =>
    setSelected(selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id]);
  return (
    <>
      <Table
        caption="Findings"
        columns={columnsOf(mayDecide ? { selected, toggle } : undefined)}
        rows={items}
        keyOf={({ id }) => String(id)}
      />
      {mayDecide && (
        <BulkBar>
          <Button
            size="small"
            disabled={selected.length === 0}
            onClick={() => setSubject({ ids: [...selected] })}
          >
            Decide about {selected.length} ticked
          </Button>
          <Button size="small" onClick={() => setSubject(filter)}>
            Decide about all {total.toLocaleString("en")}
          </Button>
        </BulkBar>
      )}
      {subject && <TriageDialog subject={subject} onClose={() => setSubject(undefined)} />}
    </>
  );
}

const BulkBar = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["bulk"]}>{children}</div>
);

interface Selection {
  readonly selected: readonly number[];
  readonly toggle: (id: number) => void;
}

const selectColumn = ({ selected, toggle }: Selection): Column<FindingRow> => ({
  label: "",
  cell: ({ id, title }) => (
    <Checkbox
      label={<span className="visually-hidden">Select {title}</span>}
      checked={selected.includes(id)}
      onChange={() => toggle(id)}
    />
  ),
});

const columnsOf = (selection: Selection | undefined): Column<FindingRow>[] => [
  ...(selection ? [selectColumn(selection)] : []),
  { label: "Severity", cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { label: "Finding", cell: (row) => <FindingName row={row} /> },
  { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { label: "Places", isNumber: true, cell: ({ places }) => places },
  { label: "First seen", cell: ({ firstSeenAt }) => formatDay(firstSeenAt) },
  { label: "Last seen", cell: ({ lastSeenAt }) => formatDay(lastSeenAt) },
];

const FindingName = ({ row: { id, title, place, targetUrl } }: { row: FindingRow }): ReactNode => (
  <div>
    <Link to="/findings/$findingId" params={{ findingId: String(id) }}>
      {title}
    </Link>
    <div className={styles["place"]}>
      <code>{place}</code> on {targetUrl}
    </div>
  </div>
);
