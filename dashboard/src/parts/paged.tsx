import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Loaded, type Query } from "./states.tsx";
import styles from "./table.module.css";

const PAGE_SIZE = 25;

/** The part of the list that is on a page, for the server. */
export const rangeOf = (page = 1): { limit: number; offset: number } => ({
  limit: PAGE_SIZE,
  offset: (page - 1) * PAGE_SIZE,
});

export interface PagedProps<Data> {
  /** It asked for the range of the page. */
  readonly query: Query<Data>;
  readonly page: number | undefined;
  readonly onPage: (page: number) => void;
  readonly children: (data: Data) => ReactNode;
}

/** A page of a list once it is loaded, with the way to the others. */
export const Paged = <Data extends { readonly total: number }>({
  query,
  page,
  onPage,
  children,
}: PagedProps<Data>): ReactNode => (
  <Loaded query={query}>
    {(data) => (
      <>
        {children(data)}
        <Pager page={page ?? 1} total={data.total} onPage={onPage} />
      </>
    )}
  </Loaded>
);

interface PagerProps {
  readonly page: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

function Pager({ page, total, onPage }: PagerProps): ReactNode {
  if (total === 0) return null;
  const first = (page - 1) * PAGE_SIZE + 1;
  const last = Math.min(total, page * PAGE_SIZE);
  return (
    <nav className={styles["pager"]} aria-label="Pages">
      <span>
        {first} to {last} of {total.toLocaleString("en")}
      </span>
      <div>
        <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button size="small" disabled={last >= total} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}
