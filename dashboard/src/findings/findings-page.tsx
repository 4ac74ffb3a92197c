import type { Category } from "@glovebox/contract";
import { CATEGORIES, CATEGORY_KEYS } from "@glovebox/contract/categories";
import { visibleText } from "@glovebox/contract/visible-text";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { SeverityBadge, StatusBadge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { countText } from "../parts/counts.ts";
import { FilterChips, chipOf, chipsOf, type FilterChip } from "../parts/filter-chips.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { Checkbox, SelectField, SeveralField } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Paged, rangeOf } from "../parts/paged.tsx";
import { Empty } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { useSelection, type Selection } from "../parts/use-selection.ts";
import { formatDay } from "../parts/time.ts";
import type { Change } from "../url/search-state.ts";
import { useSearchChange } from "../url/use-search-change.ts";
import { SEVERITY_LABELS, STATUS_LABELS } from "../parts/words.ts";
import { usePermission } from "../session/use-session.ts";
import { trpc, type Outputs } from "../trpc.ts";
import styles from "./findings.module.css";
import { FINDING_SORT_LABELS, type findingsSearch } from "./findings-search.ts";
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
    <Page title="Findings" lead="Every weakness of a target, tracked across scans.">
      <Panel title="All findings" flush>
        <FindingFilters search={search} onChange={change} />
        <FindingChips search={search} onChange={change} />
        <Paged query={query} page={page} onPage={(page) => change({ page })}>
          {(data) => <FindingList key={JSON.stringify(search)} {...data} filter={filter} />}
        </Paged>
      </Panel>
    </Page>
  );
}

type Search = ReturnType<typeof findingsSearch>;

function FindingFilters({
  search: { q, status, severity, category, sort },
  onChange,
}: {
  readonly search: Search;
  readonly onChange: (change: Change<Search>) => void;
}): ReactNode {
  return (
    <FilterBar
      search={{ label: "Title or location contains", value: q, onChange: (text) => onChange({ q: text }) }}
    >
      <SeveralField
        label="Status"
        values={status}
        none="Any"
        options={STATUS_LABELS}
        onChange={(status) => onChange({ status })}
      />
      <SeveralField
        label="Severity"
        values={severity}
        none="Any"
        options={SEVERITY_LABELS}
        onChange={(severity) => onChange({ severity })}
      />
      <SelectField
        label="Category"
        value={category ?? ""}
        none="Any"
        options={CATEGORY_LABELS}
        onChange={(category) => onChange({ category })}
      />
      <SelectField
        label="Order"
        value={sort ?? "severity"}
        options={FINDING_SORT_LABELS}
        onChange={(sort) => onChange({ sort })}
      />
    </FilterBar>
  );
}

/** The target of a filter has no control: its chip names it. */
function FindingChips({
  search: { q, status, severity, category, target },
  onChange,
}: {
  search: Search;
  onChange: (change: Change<Search>) => void;
}): ReactNode {
  const { data } = useQuery(
    trpc.targets.get.queryOptions({ id: target ?? 0 }, { enabled: target !== undefined }),
  );
  const targetName = target === undefined ? undefined : (data?.url ?? `number ${target}`);
  const chips: FilterChip<Change<Search>>[] = [
    ...chipOf("Text", q, { q: undefined }),
    ...chipsOf("Status", status, { labels: STATUS_LABELS, without: (status) => ({ status }) }),
    ...chipsOf("Severity", severity, { labels: SEVERITY_LABELS, without: (severity) => ({ severity }) }),
    ...chipOf("Category", category && CATEGORY_LABELS[category], { category: undefined }),
    ...chipOf("Target", targetName, { target: undefined }),
  ];
  return <FilterChips chips={chips} onChange={onChange} />;
}

/** A page of findings, of which the selected ones or all that match can be triaged together. */
function FindingList({
  items,
  total,
  hasMore,
  filter,
}: {
  readonly items: readonly FindingRow[];
  readonly total: number;
  readonly hasMore: boolean;
  readonly filter: FindingFilter;
}): ReactNode {
  const selection = useSelection<number>();
  const { selected } = selection;
  const [subject, setSubject] = useState<FindingFilter>();
  const mayDecide = usePermission("findings:triage");
  if (items.length === 0) return <Empty title="No finding matches">Remove a filter to see more.</Empty>;
  return (
    <>
      <Table
        caption="Findings"
        columns={columnsOf(mayDecide ? selection : undefined)}
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
            Triage {selected.length} selected
          </Button>
          <Button size="small" onClick={() => setSubject(filter)}>
            Triage all {countText(total, hasMore)}
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

const selectColumn = ({ selected, toggle }: Selection<number>): Column<FindingRow> => ({
  label: "",
  cell: ({ id, title }) => (
    <Checkbox
      label={<span className="visually-hidden">Select {title}</span>}
      checked={selected.includes(id)}
      onChange={() => toggle(id)}
    />
  ),
});

const columnsOf = (selection: Selection<number> | undefined): Column<FindingRow>[] => [
  ...(selection ? [selectColumn(selection)] : []),
  { label: "Severity", cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { label: "Finding", cell: (row) => <FindingName row={row} /> },
  { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { label: "Locations", isNumber: true, cell: ({ places }) => places },
  { label: "First seen", cell: ({ firstSeenAt }) => formatDay(firstSeenAt) },
  { label: "Last seen", cell: ({ lastSeenAt }) => formatDay(lastSeenAt) },
];

const FindingName = ({ row: { id, title, place, targetUrl } }: { row: FindingRow }): ReactNode => (
  <div>
    <Link to="/findings/$findingId" params={{ findingId: String(id) }}>
      {visibleText(title)}
    </Link>
    <div className={styles["location"]}>
      <code>{visibleText(place)}</code> on {visibleText(targetUrl)}
    </div>
  </div>
);
