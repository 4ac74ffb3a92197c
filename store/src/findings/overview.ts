import type { Grade } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import { MAX_TOTAL } from "../database/page.ts";
import type { SeverityCounts } from "./schema.ts";

/** What needs attention. Numbers of findings and scans are exact up to `MAX_TOTAL`, and one more where there are more. */
export interface Overview {
  /** Critical findings to be dealt with that were first seen in the last days. */
  readonly newCriticals: number;
  /** In the last days. */
  readonly failedScans: number;
  readonly runningScans: number;
  /** Acceptances that expire within this many days. */
  readonly expiringAcceptances: number;
  /** Targets by the grade of their last report. */
  readonly grades: Readonly<Partial<Record<Grade, number>>>;
  /** Findings of all targets to be dealt with. */
  readonly open: SeverityCounts;
  /** Of this month. */
  readonly usage: { readonly started: number; readonly scansPerMonth: number | null };
}

/** Days that count as the last ones, or as the next. */
export const OVERVIEW_DAYS = 7;
const MOST = MAX_TOTAL + 1;

export class OverviewStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(accountId: string): Promise<Overview> {
    const [row] = await this.#database.run(
      (sql) => sql<[OverviewColumns]>`
          with moment as (select coalesce(${this.#database.now()}::timestamptz, now()) as at),
          week as (select at, at - make_interval(days => ${OVERVIEW_DAYS}) as ago,
            at + make_interval(days => ${OVERVIEW_DAYS}) as ahead from moment),
          open as (
            select coalesce(sum((open->>'critical')::integer), 0)::integer as critical,
              coalesce(sum((open->>'high')::integer), 0)::integer as high,
              coalesce(sum((open->>'medium')::integer), 0)::integer as medium,
              coalesce(sum((open->>'low')::integer), 0)::integer as low,
              coalesce(sum((open->>'info')::integer), 0)::integer as info
            from targets where account_id = ${accountId}
          ), criticals as (
            -- The newest, by their ids, which ascend with the time.
            (select first_seen_at from findings where account_id = ${accountId} and status = 'open'
              and severity = 'critical' order by id desc limit ${MOST})
            union all
            (select first_seen_at from findings where account_id = ${accountId} and status = 'reopened'
              and severity = 'critical' order by id desc limit ${MOST})
          )
          select
            (select count(*) from criticals, week where first_seen_at >= ago)::integer as new_criticals,
            (select count(*) from (select from scans, week where account_id = ${accountId} and status = 'failed'
              and created_at >= ago limit ${MOST}) as failed)::integer as failed_scans,
            (select count(*) from (select from scans where account_id = ${accountId} and status = 'processing'
              limit ${MOST}) as running)::integer as running_scans,
            (select count(*) from (select from findings, week where account_id = ${accountId}
              and mark_expires_at is not null and mark_expires_at > at and mark_expires_at <= ahead
              limit ${MOST}) as expiring)::integer as expiring_acceptances,
            (select jsonb_object_agg(grade, n) from (select grade, count(*) as n from targets
              where account_id = ${accountId} and grade is not null group by grade) as graded) as grades,
            (select to_jsonb(open) from open) as open,
            (select coalesce(sum(started), 0) from usage where account_id = ${accountId}
              and month = quota_month((select at from moment)))::integer as started,
            quota_of(${accountId}) as scans_per_month`,
    );
    const { started, scansPerMonth, grades, ...counts } = row;
    return { ...counts, grades: grades ?? {}, usage: { started, scansPerMonth } };
  }
}

type OverviewColumns = Omit<Overview, "usage" | "grades"> &
  Overview["usage"] & { readonly grades: Overview["grades"] | null };
