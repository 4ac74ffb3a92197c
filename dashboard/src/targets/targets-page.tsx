import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { FilterBar, SelectField } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Pager } from "../parts/table.tsx";
import { useSearchChange } from "../url/use-search-change.ts";
import { trpc } from "../trpc.ts";
import { GRADE_LABELS } from "../parts/words.ts";
import { TargetTable } from "./target-table.tsx";
import { TARGET_SORTS } from "./targets-search.ts";

const PAGE_SIZE = 25;

export function TargetsPage(): ReactNode {
  const search = useSearch({ from: "/targets" });
  const { q, grade, sort, page = 1 } = search;
  const change = useSearchChange(search);
  const query = useQuery(
    trpc.targets.list.queryOptions(
      { text: q, grade, sort, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Page title="Targets" lead="Every address that was scanned.">
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
            options={TARGET_SORTS}
            onChange={(sort) => change({ sort })}
          />
        </FilterBar>
        <Loaded query={query}>
          {({ items, total }) => (
            <>
              {items.length === 0 ? (
                <Empty title="No targets yet">The first scan makes one.</Empty>
              ) : (
                <TargetTable targets={items} />
              )}
              <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={(page) => change({ page })} />
            </>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}
