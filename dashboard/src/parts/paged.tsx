import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { MAX_COUNTED, countText } from "./counts.ts";
import { Loaded, type Query } from "./states.tsx";
import styles from "./table.module.css";

const PAGE_SIZE = 25;

/** Pages begin within what is counted. */
const LAST_PAGE = MAX_COUNTED / PAGE_SIZE;

/** The part of the list that is on a page, for the server. */
export const rangeOf = (page = 1): { limit: number; offset: number } => ({
  limit: PAGE_SIZE,
  offset: (Math.min(page, LAST_PAGE) - 1) * PAGE_SIZE,
});

export interface PagedProps<Data> {
  /** It asked for the range of the page. */
  readonly query: Query<Data>;
  readonly page: number | undefined;
  readonly onPage: (page: number) => void;
  readonly children: (data: Data) => ReactNode;
}

/** A page of a list once it is loaded, with the way to the others. */
export const Paged = <Data extends { readonly total: number; readonly hasMore: boolean }>({
  query,
  page,
  onPage,
  children,
}: PagedProps<Data>): ReactNode => (
  <Loaded query={query}>
    {(data) => (
      <>
        {children(data)}
        <Pager page={Math.min(page ?? 1, LAST_PAGE)} {...data} onPage={onPage} />
      </>
    )}
  </Loaded>
);

interface PagerProps {
  readonly page: number;
  readonly total: number;
  readonly pageSize?: number;
  /** There are more than are counted. */
  readonly hasMore: boolean;
  readonly onPage: (page: number) => void;
}

/** Where the page is in the list, and the way to the pages beside it. */
export function Pager({ page, total, pageSize = PAGE_SIZE, hasMore, onPage }: PagerProps): ReactNode {
  if (total === 0) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  return (
    <nav className={styles["pager"]} aria-label="Pages">
      <span>
        {first > last
          ? `This list has ${Math.ceil(total / pageSize)} pages`
          : `${countText(first)} to ${countText(last)} of ${countText(total, hasMore)}`}
      </span>
      <div>
        <Button
          size="small"
          disabled={page <= 1}
          onClick={() => onPage(Math.min(page - 1, Math.ceil(total / pageSize)))}
        >
          Previous
        </Button>
        <Button size="small" disabled={last >= total || page >= LAST_PAGE} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}
