import type { Coverage, Grade, ScanState, TargetSort } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import type { SeverityCounts, targets } from "./schema.ts";
import { MAX_TOTAL, type ListPage, type Page } from "../database/page.ts";

/** A target of an account, as its last scan and its last report left it. */
export interface TargetRow extends Pick<
  typeof targets.$inferSelect,
  "id" | "url" | "changedAt" | "lastScanId" | "lastStatus" | "score" | "grade"
> {
  readonly coverage: Coverage | null;
  /** Findings to be dealt with; null before the first report. */
  readonly open: SeverityCounts | null;
}

/** The last report of a day. */
export interface TrendPoint {
  readonly day: string;
  readonly scanId: string;
  readonly score: number;
  readonly grade: Grade;
  readonly open: SeverityCounts;
}

export interface TargetDetail extends TargetRow {
  /** Oldest first; at most `MAX_TREND`. */
  readonly trend: TrendPoint[];
  /** Of the findings that are fixed: how many, and the median of the hours from their opening to the scan that saw them fixed. */
  readonly fixed: { readonly count: number; readonly medianHours: number | null };
}

export interface TargetQuery extends Page {
  /** Part of the URL, case-insensitive. */
  readonly text?: string | undefined;
  readonly grade?: Grade | undefined;
  /** Of the last scan. */
  readonly status?: ScanState | undefined;
  readonly sort?: TargetSort | undefined;
}

export const MAX_TREND = 365;

const ORDERS: Record<TargetSort, string> = {
  recent: "changed_at desc, id",
  worst: "score nulls last, changed_at desc, id",
  url: "url, id",
};

const COLUMNS = "id, url, changed_at, last_scan_id, last_status, score, grade, coverage, open";

/** The addresses that an account has scanned. */
export class TargetStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(accountId: string, query: TargetQuery): Promise<ListPage<TargetRow>> {
    const { text = "", grade = null, status = null, sort = "recent", limit, offset } = query;
    const rows = await this.#database.run(
      (sql) => sql<(TargetColumns & { total: number; hasMore: boolean })[]>`
          with matches as materialized (
            select ${sql.unsafe(COLUMNS)} from targets where account_id = ${accountId}
              and position(lower(${text}) in lower(url)) > 0
              and (${grade}::text is null or grade = ${grade}) and (${status}::text is null or last_status = ${status})
          ), page as (
            select * from matches order by ${sql.unsafe(ORDERS[sort])} limit ${limit} offset ${offset}
          )
          select least(n, ${MAX_TOTAL})::integer as total, n > ${MAX_TOTAL} as has_more, page.*
          from (select count(*) as n from matches) as counted left join page on true
          order by ${sql.unsafe(ORDERS[sort])}`,
    );
    const { total = 0, hasMore = false } = rows[0] ?? {};
    return { rows: rows.filter(({ id }) => id !== null).map(toTarget), total, hasMore };
  }

  /** Undefined if the account has no such target. */
  async get(accountId: string, id: number): Promise<TargetDetail | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<(TargetColumns & { fixedCount: number; medianHours: number | null })[]>`
          select ${sql.unsafe(COLUMNS)}, fixed.* from targets t cross join lateral (
            select count(*)::integer as fixed_count,
              percentile_cont(0.5) within group (order by extract(epoch from f.fixed_at - f.opened_at) / 3600)::float8 as median_hours
            from (
              select fixed_at, opened_at from findings
              where target_id = t.id and status = 'fixed' order by id desc limit ${MAX_TOTAL}
            ) as f
          ) as fixed
          where t.id = ${id} and t.account_id = ${accountId}`,
    );
    if (!found) return undefined;
    const trend = await this.#database.run(
      (sql) => sql<TrendPoint[]>`
          select day::text as day, scan_id, score, grade, open from target_scores
          where target_id = ${id} order by target_scores.day desc limit ${MAX_TREND}`,
    );
    const { fixedCount, medianHours } = found;
    return { ...toTarget(found), trend: trend.toReversed(), fixed: { count: fixedCount, medianHours } };
  }
}

type TargetColumns = Omit<TargetRow, "id"> & { readonly id: string };

const toTarget = (selected: TargetColumns): TargetRow => {
  const { id, url, changedAt, lastScanId, lastStatus, score, grade, coverage, open } = selected;
  return { id: Number(id), url, changedAt, lastScanId, lastStatus, score, grade, coverage, open };
};
