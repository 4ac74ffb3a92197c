import type { Database } from "../database/database.ts";

/** Scans that were submitted on a day, and how they ended so far. */
export interface DailyUsage {
  /** `2026-11-23`, UTC. */
  readonly day: string;
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
}

/** The use of the plan in this month. */
export interface Usage {
  /** `2026-11`, UTC. */
  readonly month: string;
  readonly started: number;
  /** Null: unlimited. */
  readonly scansPerMonth: number | null;
  readonly renewedInSeconds: number;
}

export class UsageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async ofMonth(accountId: string): Promise<Usage> {
    const [row] = await this.#database.run(
      (sql) => sql<[Usage]>`
          with moment as (select coalesce(${this.#database.now()}::timestamptz, now()) as at)
          select quota_month(at) as month, quota_of(${accountId}) as scans_per_month,
            quota_renewed_in(at) as renewed_in_seconds,
            (select coalesce(sum(started), 0)::integer from usage
              where account_id = ${accountId} and month = quota_month(at)) as started
          from moment`,
    );
    return { ...row };
  }

  /** Each of the last days, today the last, also those without a scan. Deleted scans are left out. */
  async perDay(accountId: string, days: number): Promise<DailyUsage[]> {
    const rows = await this.#database.run(
      (sql) => sql<DailyUsage[]>`
          with last as (
            select generate_series(today - ${days - 1}::integer, today, interval '1 day')::date as day
            from (select (coalesce(${this.#database.now()}::timestamptz, now()) at time zone 'UTC')::date as today) at
          ), counted as (
            select (created_at at time zone 'UTC')::date as day, status from scans
            where account_id = ${accountId}
              and created_at >= (select min(day) from last)::timestamp at time zone 'UTC'
          )
          select to_char(last.day, 'YYYY-MM-DD') as day, count(status)::integer as submitted,
            count(*) filter (where status = 'completed')::integer as completed,
            count(*) filter (where status = 'failed')::integer as failed
          from last left join counted using (day) group by last.day order by last.day`,
    );
    return [...rows];
  }
}
