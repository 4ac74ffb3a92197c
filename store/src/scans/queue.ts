import type { ScanFailureCode } from "@glovebox/contract";
import type { SchemaState } from "../database/migrate.ts";
import type { Database } from "../database/database.ts";

/** A scan that has not ended. */
export interface QueuedScan {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly url: string;
  readonly createdAt: Date;
  /** It waits until its scanner has said what it plans. */
  readonly isRunning: boolean;
  readonly attempts: number;
  /** Of the Scan resource; null: it has none. */
  readonly resourceUid: string | null;
}

export interface FailedScan extends Pick<QueuedScan, "id" | "accountId" | "accountName" | "url"> {
  readonly endedAt: Date;
  readonly code: ScanFailureCode;
  readonly message: string;
}

/** Of all accounts. */
export interface QueueState {
  readonly waiting: number;
  readonly running: number;
  /** Of the one that has waited longest, in seconds; null: none waits. */
  readonly oldestWaitingSeconds: number | null;
  readonly schema: SchemaState;
}

const IS_RUNNING = "(s.lease_until > at.moment or s.progress_planned > 0)";

/** Scans of all accounts, for administrators. */
export class QueueStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async counts(): Promise<Omit<QueueState, "schema">> {
    const [row] = await this.#database.run(
      (sql) => sql<[Omit<QueueState, "schema">]>`
          with at as (select coalesce(${this.#database.now()}::timestamptz, now()) as moment)
          select count(*) filter (where ${sql.unsafe(IS_RUNNING)})::integer as running,
            count(*) filter (where not coalesce(${sql.unsafe(IS_RUNNING)}, false))::integer as waiting,
            max(extract(epoch from at.moment - s.created_at))
              filter (where not coalesce(${sql.unsafe(IS_RUNNING)}, false))::float8 as oldest_waiting_seconds
          from scans s, at where s.status = 'processing'`,
    );
    return { ...row };
  }

  /** The oldest first. */
  async list(limit: number): Promise<QueuedScan[]> {
    const rows = await this.#database.run(
      (sql) => sql<QueuedScan[]>`
          with at as (select coalesce(${this.#database.now()}::timestamptz, now()) as moment)
          select s.id, s.account_id, a.name as account_name, s.url, s.created_at, s.attempts, s.resource_uid,
            coalesce(${sql.unsafe(IS_RUNNING)}, false) as is_running
          from at, scans s join accounts a on a.id = s.account_id
          where s.status = 'processing' order by s.created_at, s.id limit ${limit}`,
    );
    return [...rows];
  }

  /** Scans that failed, the one submitted last first; cancelled ones are left out. */
  async failures(limit: number): Promise<FailedScan[]> {
    const rows = await this.#database.run(
      (sql) => sql<FailedScan[]>`
          select f.id, f.account_id, a.name as account_name, f.url, f.ended_at, f.failure_code as code,
            coalesce(f.failure_message, '') as message
          from accounts a cross join lateral (
            select * from scans s where s.account_id = a.id and s.status = 'failed' and s.failure_code <> 'cancelled'
            order by s.created_at desc limit ${limit}
          ) f order by f.created_at desc, f.id desc limit ${limit}`,
    );
    return [...rows];
  }
}
