import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { FilterChips, chipOf } from "../parts/filter-chips.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { SelectField } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Paged, rangeOf } from "../parts/paged.tsx";
import { Empty } from "../parts/states.tsx";
import { useSelection, type Selection } from "../parts/use-selection.ts";
import type { Change } from "../url/search-state.ts";
import { useSearchChange } from "../url/use-search-change.ts";
import { GRADE_LABELS, SCAN_LABELS } from "../parts/words.ts";
import { trpc } from "../trpc.ts";
import { NewScanLink } from "./new-scan-link.tsx";
import { ScanTable } from "./scan-table.tsx";
import { SCAN_SORT_LABELS, type scansSearch } from "./scans-search.ts";

const POLL_MS = 10_000;

/** All scans of the account; two selected ones can be compared. */
export function ScansPage(): ReactNode {
  const search = useSearch({ from: "/scans" });
  const { q, status, grade, sort, page } = search;
  const change = useSearchChange(search);
  const query = useQuery(
    trpc.scans.search.queryOptions(
      { text: q, status, grade, sort, ...rangeOf(page) },
      { placeholderData: keepPreviousData, refetchInterval: POLL_MS },
    ),
  );
  const { selection, actions } = useComparison();
  return (
    <Page title="Scans" actions={actions}>
      <Panel title="All scans" flush>
        <ScanFilters search={search} onChange={change} />
        <Paged query={query} page={page} onPage={(page) => change({ page })}>
          {({ items }) =>
            items.length === 0 ? (
              <NoScans isFiltered={Boolean(q ?? status ?? grade)} />
            ) : (
              <ScanTable scans={items} selection={selection} />
            )
          }
        </Paged>
      </Panel>
    </Page>
  );
}

type Search = ReturnType<typeof scansSearch>;

function ScanFilters({
  search: { q, status, grade, sort },
  onChange,
}: {
  readonly search: Search;
  readonly onChange: (change: Change<Search>) => void;
}): ReactNode {
  return (
    <>
      <FilterBar search={{ label: "Target contains", value: q, onChange: (text) => onChange({ q: text }) }}>
        <SelectField
          label="Status"
          value={status ?? ""}
          none="Any"
          options={SCAN_LABELS}
          onChange={(status) => onChange({ status })}
        />
        <SelectField
          label="Grade"
          value={grade ?? ""}
          none="Any"
          options={GRADE_LABELS}
          onChange={(grade) => onChange({ grade })}
        />
        <SelectField
          label="Order"
          value={sort ?? "newest"}
          options={SCAN_SORT_LABELS}
          onChange={(sort) => onChange({ sort })}
        />
      </FilterBar>
      <FilterChips
        chips={[
          ...chipOf("Text", q, { q: undefined }),
          ...chipOf("Status", status && SCAN_LABELS[status], { status: undefined }),
          ...chipOf("Grade", grade, { grade: undefined }),
        ]}
        onChange={onChange}
      />
    </>
  );
}

/** The selected scans, and the buttons of the page. */
function useComparison(): { selection: Selection<string>; actions: ReactNode } {
  const navigate = useNavigate();
  const selection = useSelection<string>();
  // Ids of scans ascend with time.
  const [older, newer] = selection.selected.toSorted();
  const compare = (): void => void (older && newer && navigate({ to: "/compare", search: { older, newer } }));
  const actions = (
    <>
      <Button disabled={selection.selected.length !== 2} onClick={compare}>
        Compare selected
      </Button>
      <NewScanLink />
    </>
  );
  return { selection, actions };
}

const NoScans = ({ isFiltered }: { isFiltered: boolean }): ReactNode =>
  isFiltered ? (
    <Empty title="No scan matches">Remove a filter to see more.</Empty>
  ) : (
    <Empty title="No scans yet" action={<NewScanLink />}>
      A scan needs the URL of an API. With its OpenAPI document it tests more.
    </Empty>
  );
