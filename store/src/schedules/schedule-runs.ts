import type { Grade, ScanState } from "@glovebox/contract";
import type { Sql } from "postgres";
import type { Database } from "../database/database.ts";
import type { ScheduleRow } from "./schedules.ts";
import type { scheduleRuns } from "./schema.ts";

type Columns = Readonly<typeof scheduleRuns.$inferSelect>;

/** A run with its scan, if that was not deleted. */
export interface RunRow extends Omit<Columns, "id" | "scheduleId"> {
  readonly scanStatus: ScanState | null;
  readonly grade: Grade | null;
}

/** A schedule to decide about. */
export interface ClaimedSchedule extends Omit<ScheduleRow, "lastRun"> {
  readonly accountId: string;
  readonly claimedAt: Date;
  readonly claimedUntil: Date;
  /** Its scans that have not ended. */
  readonly running: readonly string[];
}

/** What was decided: until when, when next, how many runs were missed, and the run that was due. */
export interface ScheduleDecision {
  readonly decidedUntil: Date;
  readonly nextAt: Date | null;
  readonly missed: number;
  readonly run?: Pick<Columns, "outcome" | "scheduledAt" | "code" | "reason" | "scanId"> | undefined;
}

/** The select list of a schedule. */
export const SCHEDULE_COLUMNS = `id, name, url, spec_url, context, include, exclude, identity_set, schedule, time_zone, jitter_seconds,
  starting_deadline_seconds, concurrency_policy, suspend, history_limit, created_at, decided_until, next_run_at, missed_runs`;

/** The runs of schedules, and the queue of those that are due, by the clock of PostgreSQL. */
export class ScheduleRunStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Newest first, up to the history limit. */
  async list(scheduleId: string): Promise<RunRow[]> {
    const rows = await this.#database.run(
      (sql) => sql<RunRow[]>`
          select ${columns(sql)} from schedule_runs r left join scans s on s.id = r.scan_id
          where r.schedule_id = ${scheduleId} order by r.id desc
          limit (select history_limit from schedules where id = ${scheduleId})`,
    );
    return [...rows];
  }

  /** Due schedules, which no other process gets for this many seconds. */
  async claim(seconds: number, limit: number): Promise<ClaimedSchedule[]> {
    const now = this.#database.now();
    const rows = await this.#database.run(
      (sql) => sql<ClaimedSchedule[]>`
          select ${sql.unsafe(SCHEDULE_COLUMNS)}, account_id, claimed_until,
            coalesce(${now}::timestamptz, now()) as claimed_at,
            array(
              select s.id from schedule_runs r join scans s on s.id = r.scan_id
              where r.schedule_id = c.id and s.status = 'processing'
            ) as running
          from claim_schedules(${now}, ${seconds}, ${limit}) c`,
    );
    return [...rows];
  }

  /** Ends the claim with what was decided; false, and nothing is written, when it is no longer valid. */
  async record(
    { id, claimedUntil }: Pick<ClaimedSchedule, "id" | "claimedUntil">,
    { decidedUntil, nextAt, missed, run }: ScheduleDecision,
  ): Promise<boolean> {
    const { scheduledAt = null, outcome = null, code = null, reason = null, scanId = null } = run ?? {};
    const [row] = await this.#database.run(
      (sql) => sql<[{ recorded: boolean }]>`
          select record_schedule_decision(${id}, ${claimedUntil}, ${this.#database.now()}, ${decidedUntil}, ${nextAt},
            ${missed}, ${scheduledAt}, ${outcome}, ${code}, ${reason}, ${scanId}) as recorded`,
    );
    return row.recorded;
  }
}

const columns = (sql: Sql) => sql`
  r.scheduled_at, r.decided_at, r.outcome, r.missed, r.code, r.reason, s.id as scan_id, s.status as scan_status, s.grade`;

/** The last run of each schedule that has one. */
export async function lastRunsOf(
  database: Database,
  schedules: readonly Pick<ScheduleRow, "id">[],
): Promise<Map<string, RunRow>> {
  if (schedules.length === 0) return new Map();
  const ids = schedules.map(({ id }) => id);
  const rows = await database.run(
    (sql) => sql<(RunRow & { readonly scheduleId: string })[]>`
      select distinct on (r.schedule_id) r.schedule_id, ${columns(sql)}
      from schedule_runs r left join scans s on s.id = r.scan_id
      where r.schedule_id = any(${ids}::uuid[]) order by r.schedule_id, r.id desc`,
  );
  return new Map(rows.map(({ scheduleId, ...run }) => [scheduleId, run]));
}
