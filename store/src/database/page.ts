/** Totals are exact up to here, and pages begin here at the latest. */
export const MAX_TOTAL = 10_000;

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** One page; `hasMore` when the total is only the least. */
export interface ListPage<T> {
  readonly rows: T[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** A statement that is assembled from parts, and what it is run with. */
export interface Statement {
  readonly text: string;
  readonly parameters: (string | number | null)[];
}
