import { MAX_SCHEDULES } from "@glovebox/contract/schedules";
import { lockAccount } from "../accounts/accounts.ts";
import type { Database } from "../database/database.ts";
import { SCHEDULE_COLUMNS, lastRunsOf, type RunRow } from "./schedule-runs.ts";
import type { schedules } from "./schema.ts";

type Columns = Readonly<typeof schedules.$inferSelect>;

/** A schedule with its last run. */
export interface ScheduleRow extends Omit<Columns, "accountId" | "claimedUntil"> {
  readonly lastRun: RunRow | null;
}

/** What clients set. */
export type ScheduleTerms = Pick<
  Columns,
  | "name"
  | "url"
  | "specUrl"
  | "context"
  | "include"
  | "exclude"
  | "identitySet"
  | "schedule"
  | "timeZone"
  | "jitterSeconds"
  | "startingDeadlineSeconds"
  | "concurrencyPolicy"
  | "suspend"
  | "historyLimit"
>;
/** What follows from that. */
export type ScheduleTimes = Pick<Columns, "decidedUntil" | "nextRunAt">;

/** The schedules of an account. Who changes one writes the entry of the audit log in the same transaction. */
export class ScheduleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** False when the account has `MAX_SCHEDULES`. */
  async create(accountId: string, id: string, given: ScheduleTerms & ScheduleTimes): Promise<boolean> {
    const { name, url, specUrl, context, include, exclude, identitySet, schedule, timeZone, jitterSeconds } =
      given;
    const { startingDeadlineSeconds, concurrencyPolicy, suspend, historyLimit } = given;
    const insert = async (transaction: Database) => {
      await lockAccount(transaction, accountId);
      return transaction.run(
        (sql) => sql`
          insert into schedules (id, account_id, name, url, spec_url, context, include, exclude, identity_set, schedule,
            time_zone, jitter_seconds, starting_deadline_seconds, concurrency_policy, suspend, history_limit, created_at, decided_until, next_run_at)
          select ${id}, ${accountId}, ${name}, ${url}, ${specUrl}, ${context}, ${include},
            ${exclude}, ${identitySet}, ${schedule}, ${timeZone}, ${jitterSeconds}, ${startingDeadlineSeconds}, ${concurrencyPolicy}, ${suspend}, ${historyLimit},
            coalesce(${this.#database.now()}::timestamptz, now()), ${given.decidedUntil}, ${given.nextRunAt}
          where (select count(*) from schedules where account_id = ${accountId}) < ${MAX_SCHEDULES}
          returning 1`,
      );
    };
    const created = await this.#database.transaction(insert);
    return created.length > 0;
  }

  /** Oldest first. */
  async list(accountId: string): Promise<ScheduleRow[]> {
    const rows = await this.#database.run(
      (sql) => sql<Omit<ScheduleRow, "lastRun">[]>`
          select ${sql.unsafe(SCHEDULE_COLUMNS)} from schedules where account_id = ${accountId}
          order by created_at, id`,
    );
    return this.#withLastRuns(rows);
  }

  get(accountId: string, id: string): Promise<ScheduleRow | undefined> {
    return this.#find(accountId, id, false);
  }

  /** As `get`; nothing else changes it until the end of the transaction. */
  lock(accountId: string, id: string): Promise<ScheduleRow | undefined> {
    return this.#find(accountId, id, true);
  }

  /** Changes a locked schedule. A decision about it that is under way is no longer recorded. */
  async update(id: string, given: ScheduleTerms & ScheduleTimes): Promise<void> {
    const { name, url, specUrl, context, include, exclude, identitySet, schedule, timeZone, jitterSeconds } =
      given;
    const { startingDeadlineSeconds, concurrencyPolicy, suspend, historyLimit } = given;
    await this.#database.run(
      (sql) => sql`
          update schedules set name = ${name}, url = ${url}, spec_url = ${specUrl}, context = ${context},
            include = ${include}, exclude = ${exclude}, identity_set = ${identitySet},
            schedule = ${schedule}, time_zone = ${timeZone}, jitter_seconds = ${jitterSeconds},
            starting_deadline_seconds = ${startingDeadlineSeconds}, concurrency_policy = ${concurrencyPolicy},
            suspend = ${suspend}, history_limit = ${historyLimit}, decided_until = ${given.decidedUntil},
            next_run_at = ${given.nextRunAt}, claimed_until = null
          where id = ${id}`,
    );
  }

  /** With its runs; their scans stay. */
  async remove(id: string): Promise<void> {
    await this.#database.run((sql) => sql`delete from schedules where id = ${id}`);
  }

  async #find(accountId: string, id: string, forUpdate: boolean): Promise<ScheduleRow | undefined> {
    const rows = await this.#database.run(
      (sql) => sql<Omit<ScheduleRow, "lastRun">[]>`
        select ${sql.unsafe(SCHEDULE_COLUMNS)} from schedules where id = ${id} and account_id = ${accountId}
        ${forUpdate ? sql`for update` : sql``}`,
    );
    const [found] = await this.#withLastRuns(rows);
    return found;
  }

  async #withLastRuns(rows: readonly Omit<ScheduleRow, "lastRun">[]): Promise<ScheduleRow[]> {
    const runs = await lastRunsOf(this.#database, rows);
    return rows.map((row) => ({ ...row, lastRun: runs.get(row.id) ?? null }));
  }
}
