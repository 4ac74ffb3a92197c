import type { Grade, ScanContext, ScanSort, ScanState } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import { MAX_TOTAL, type ListPage, type Page, type Statement } from "../database/page.ts";
import { SCAN_COLUMNS, type ScanRow, type ScanColumns, toScanRow } from "./scan-row.ts";

/** Which scans of an account. Absent: any. */
export interface ScanQuery extends Page {
  readonly status?: ScanState | undefined;
  readonly grade?: Grade | undefined;
  readonly context?: ScanContext | undefined;
  /** Id of a target. */
  readonly target?: number | undefined;
  /** Part of the URL, case-insensitive. */
  readonly text?: string | undefined;
  /** Submitted at this time or later, and before that one; in ISO 8601. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly sort?: ScanSort | undefined;
}

/** A scan of a search, with the target to filter by. */
export type ScanListItem = ScanRow & { readonly targetId: number | null };

/** A search for a text looks at the scans of this many matching targets: the targets whose scans ended last. */
const MAX_MATCHING_TARGETS = 100;

const ORDERS: Record<ScanSort, string> = {
  newest: "s.created_at desc, s.id desc",
  oldest: "s.created_at, s.id",
  worst: "s.score, s.created_at, s.id",
  best: "s.score desc, s.created_at desc, s.id desc",
};

export class ScanSearch {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A page, and how many there are. */
  async list(accountId: string, query: ScanQuery): Promise<ListPage<ScanListItem>> {
    const { text, parameters } = scansStatement(accountId, query);
    const rows = await this.#database.run((sql) => sql.unsafe<ScanListColumns[]>(text, parameters));
    const { total = 0, hasMore = false } = rows[0] ?? {};
    return { rows: rows.filter(({ id }) => id !== null).map(toScanListItem), total, hasMore };
  }
}

type ScanListColumns = ScanColumns & {
  readonly targetId: string | null;
  readonly total: number;
  readonly hasMore: boolean;
};

function toScanListItem({ targetId, total: _, hasMore: __, ...selected }: ScanListColumns): ScanListItem {
  return { ...toScanRow(selected), targetId: targetId === null ? null : Number(targetId) };
}

/** In one statement, along the index of the filter that leaves the fewest; scans of targets are read target by target. */
export function scansStatement(accountId: string, query: ScanQuery): Statement {
  const { sort = "newest", limit, offset, target, text } = query;
  const parameters: (string | number)[] = [accountId];
  const bound = (value: string | number): string => `$${parameters.push(value)}`;
  const conditions = conditionsOf(query, bound);
  const order = ORDERS[sort];
  const byTarget = target !== undefined || text !== undefined;
  const matching = byTarget ? matchingTargets(query, bound) : "";
  const ranges = (select: string, tail: string): string =>
    byTarget
      ? `select ${select} from (${matching}) as t cross join lateral (
           select * from scans s where s.target_id = t.id and ${conditions} ${tail}) as s`
      : `select ${select} from scans s where s.account_id = $1 and ${conditions} ${tail}`;
  const columns = `${SCAN_COLUMNS}, s.target_id`;
  return {
    text: `
      with page as (
        select * from (${ranges(columns, `order by ${order} limit ${offset + limit}`)}) as s
        order by ${order} limit ${limit} offset ${offset}
      ), counted as (
        select count(*) as n from (
          select from (${ranges("s.id", `limit ${MAX_TOTAL + 1}`)}) as found limit ${MAX_TOTAL + 1}) as first_ones
      )
      select least(n, ${MAX_TOTAL})::integer as total, n > ${MAX_TOTAL} as has_more, s.*
      from counted left join page s on true order by ${order}`,
    parameters,
  };
}

function conditionsOf(query: ScanQuery, bound: (value: string) => string): string {
  const { status, grade, context, from, until, sort } = query;
  const conditions = ["true"];
  // Literals of a known set, because partial indexes apply to constants.
  if (status !== undefined) conditions.push(`s.status = '${status}'`);
  if (grade !== undefined) conditions.push(`s.grade = '${grade}'`);
  if (context !== undefined) conditions.push(`s.context = '${context}'`);
  if (from !== undefined) conditions.push(`s.created_at >= ${bound(from)}::timestamptz`);
  if (until !== undefined) conditions.push(`s.created_at < ${bound(until)}::timestamptz`);
  if (sort === "worst" || sort === "best") conditions.push("s.score is not null");
  return conditions.join(" and ");
}

function matchingTargets({ target, text }: ScanQuery, bound: (value: string | number) => string): string {
  const conditions = ["account_id = $1"];
  if (target !== undefined) conditions.push(`id = ${bound(target)}::bigint`);
  if (text !== undefined) conditions.push(`position(lower(${bound(text)}) in lower(url)) > 0`);
  return `select id from targets where ${conditions.join(" and ")} order by changed_at desc limit ${MAX_MATCHING_TARGETS}`;
}
