import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { FilterChips, chipOf } from "../parts/filter-chips.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { SelectField } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Paged, rangeOf } from "../parts/paged.tsx";
import { Empty } from "../parts/states.tsx";
import { useSearchChange } from "../url/use-search-change.ts";
import { trpc } from "../trpc.ts";
import { GRADE_LABELS } from "../parts/words.ts";
import { TargetTable } from "./target-table.tsx";
import { TARGET_SORT_LABELS } from "./targets-search.ts";

export function TargetsPage(): ReactNode {
  const search = useSearch({ from: "/targets" });
  const { q, grade, sort, page } = search;
  const change = useSearchChange(search);
  const query = useQuery(
    trpc.targets.list.queryOptions(
      { text: q, grade, sort, ...rangeOf(page) },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Page title="Targets" lead="Every URL that has been scanned.">
      <Panel title="All targets" flush>
        <FilterBar search={{ label: "Address contains", value: q, onChange: (text) => change({ q: text }) }}>
          <SelectField
            label="Grade"
            value={grade ?? ""}
            none="Any"
            options={GRADE_LABELS}
            onChange={(grade) => change({ grade })}
          />
          <SelectField
            label="Order"
            value={sort ?? "recent"}
            options={TARGET_SORT_LABELS}
            onChange={(sort) => change({ sort })}
          />
        </FilterBar>
        <FilterChips
          chips={[...chipOf("Text", q, { q: undefined }), ...chipOf("Grade", grade, { grade: undefined })]}
          onChange={change}
        />
        <Paged query={query} page={page} onPage={(page) => change({ page })}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={(q ?? grade) ? "No target matches" : "No targets yet"}>
                {(q ?? grade) ? "Remove a filter to see more." : "The first scan adds one."}
              </Empty>
            ) : (
              <TargetTable targets={items} />
            )
          }
        </Paged>
      </Panel>
    </Page>
  );
}
