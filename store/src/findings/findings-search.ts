import { FINDING_STATUSES, type FindingStatus } from "@glovebox/domain";
import { SEVERITIES, type Category, type FindingSort, type Severity } from "@glovebox/contract";
import { MAX_TOTAL, type Page, type Statement } from "../database/page.ts";

/** Which findings of an account. Absent: any. */
export interface FindingFilter {
  readonly status?: readonly FindingStatus[] | undefined;
  readonly severity?: readonly Severity[] | undefined;
  readonly category?: Category | undefined;
  readonly check?: string | undefined;
  /** Id of a target. */
  readonly target?: number | undefined;
  /** Part of the title or of the location, case-insensitive. */
  readonly text?: string | undefined;
  /** Ids of findings, as ticked in a list. */
  readonly ids?: readonly number[] | undefined;
}

export interface FindingQuery extends FindingFilter, Page {
  readonly sort?: FindingSort | undefined;
}

/** Findings that a search for a text looks at: the newest, evenly of each status and severity. */
const MAX_SEARCHED = 10_000;

/** The second parameter of every statement; null: the time of PostgreSQL. */
const NOW = "coalesce($2::timestamptz, now())";

/** The rows that have a status now, each a range of the index. */
function storedAs(status: FindingStatus): readonly string[] {
  const own = `f.status = '${status}'`;
  if (status === "open") return [own, isExpired(NOW)];
  return [status === "accepted" ? `${own} and not ${isExpired(NOW)}` : own];
}

const ORDERS: Record<FindingSort, { merged: string; within: string }> = {
  severity: { merged: "rank, id desc", within: "f.id desc" },
  newest: { merged: "id desc", within: "f.id desc" },
  oldest: { merged: "id", within: "f.id" },
};

/**
 * A page of findings with their number, in one statement. Each status and severity is a range of an index in the order of the
 * page, regardless of other filters: it reads no more than it shows and counts. `has_more` where the total is not exact.
 */
export function findingsStatement(accountId: string, query: FindingQuery, now: string | null): Statement {
  const { sort = "severity", limit, offset, text } = query;
  const { conditions, parameters } = conditionsOf({ accountId, now }, query);
  const pairs = (query.status ?? FINDING_STATUSES).flatMap((status) =>
    (query.severity ?? SEVERITIES).flatMap((severity) =>
      storedAs(status).map((stored) => ({ stored, severity })),
    ),
  );
  const { merged, within } = ORDERS[sort];
  const rows = text === undefined ? offset + limit : Math.ceil(MAX_SEARCHED / Math.max(1, pairs.length));
  const ranges = (select: string, most: number, order = ""): string =>
    pairs
      .map(
        ({ stored, severity }) =>
          `(select ${select.replace("RANK", String(SEVERITIES.indexOf(severity)))} from findings f
            where ${stored} and f.severity = '${severity}' and ${conditions} ${order} limit ${most})`,
      )
      .join(" union all ") ||
    `(select ${select.replace("RANK", "0")} from findings f where false and ${conditions})`;
  // Without a text, the index alone is enough.
  const columns = text === undefined ? "f.id, RANK as rank" : "f.id, RANK as rank, f.title, f.place";
  const found = ranges(columns, rows, `order by ${within}`);
  const matching = parameters.length + 1;
  const matches =
    text === undefined
      ? `select * from found`
      : `select * from found where position(lower($${matching}) in lower(title || ' ' || place)) > 0`;
  const counted =
    text === undefined
      ? `select count(*) as n, count(*) > ${MAX_TOTAL} as more
         from (select from (${ranges("1 as one", MAX_TOTAL + 1)}) as all_ranges limit ${MAX_TOTAL + 1}) as first_ones`
      : `select count(*) as n,
           exists (select from (${ranges("1 as one", 1, `order by ${within} offset ${rows}`)}) as rest) as more from matches`;
  return {
    text: `
      with found as materialized (${found}), matches as (${matches}), counted as (${counted}),
      page as (select id, rank from matches order by ${merged} limit ${limit} offset ${offset})
      select least(c.n, ${MAX_TOTAL})::integer as total, c.more as has_more, ${findingColumns(NOW)}
      from counted c left join (page p join findings f on f.id = p.id join targets t on t.id = f.target_id) on true
      order by ${merged.replace(/\bid\b/, "f.id")}`,
    parameters: text === undefined ? parameters : [...parameters, text],
  };
}

/** The ids of what matches, at most this many, by their ids; for decisions about all of them. */
export function idsStatement(
  accountId: string,
  query: FindingFilter,
  { now, most }: { readonly now: string | null; readonly most: number },
): Statement {
  const page = { sort: "newest", limit: most, offset: 0 } as const;
  const { text, parameters } = findingsStatement(accountId, { ...query, ...page }, now);
  return { text: `select id from (${text}) as found where id is not null order by id`, parameters };
}

/**
 * True of an acceptance that is over, of a table `f`, for a time that is a parameter of this number or an expression: the row
 * says so when the periodic task comes to it, and every read immediately.
 */
const isExpired = (now: string): string =>
  `(f.status = 'accepted' and f.mark_expires_at is not null and f.mark_expires_at <= ${now})`;

/** The status of a row of `f` at that time. */
export const statusAt = (now: string): string => `case when ${isExpired(now)} then 'open' else f.status end`;

/** Of a table `f`, with its target `t`, at that time. */
export const findingColumns = (now: string): string => `f.id, f.finding_id, f.target_id, t.url as target_url,
  ${statusAt(now)} as status, f.severity, f.confidence,
  f.category, f.check_id, f.title, f.place, f.first_seen_at, f.first_scan_id, f.last_seen_at, f.last_scan_id,
  f.opened_at, f.fixed_at, f.mark_reason, f.mark_expires_at, f.mark_by, cardinality(f.seen_at) as places`;

function conditionsOf(
  { accountId, now }: { readonly accountId: string; readonly now: string | null },
  filter: FindingFilter,
) {
  const parameters: (string | number | null)[] = [accountId, now];
  const bound = (value: string | number, cast = ""): string => `$${parameters.push(value)}${cast}`;
  const conditions = ["f.account_id = $1"];
  if (filter.target !== undefined) conditions.push(`f.target_id = ${bound(filter.target, "::bigint")}`);
  if (filter.category !== undefined) conditions.push(`f.category = ${bound(filter.category)}`);
  if (filter.check !== undefined) conditions.push(`f.check_id = ${bound(filter.check)}`);
  if (filter.ids) conditions.push(`f.id = any(${bound(`{${filter.ids.join(",")}}`, "::text::bigint[]")})`);
  return { conditions: conditions.join(" and "), parameters };
}
