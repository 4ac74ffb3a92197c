import type { ScanRequest } from "@glovebox/contract";
import type { Sql } from "postgres";
import type { Database } from "../database/database.ts";
import type { ScanRow } from "./scan-row.ts";
import type { BoundScan } from "./adoption.ts";

export type UnlaunchedScan = Pick<ScanRow, "id" | "identityNames" | keyof ScanRequest> & {
  /** Name of the account that is charged. */
  readonly account: string;
  /** Seconds since its submission. */
  readonly ageSeconds: number;
};

/**
 * Which processing scans have a Scan resource. Ages are in seconds, by the clock of PostgreSQL. Each query uses the index of
 * processing scans.
 */
export class LaunchStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Processing scans older than this without a recorded launch, oldest first: the scans of the installation,
   * and of none.
   */
  async unlaunched(installation: string, ageSeconds: number, limit: number): Promise<UnlaunchedScan[]> {
    const rows = await this.#database.run(
      (sql) => sql<UnlaunchedScan[]>`
          select s.id, a.name as account, s.url, s.spec_url, s.context, s.include, s.exclude, s.mode, s.identity_names,
            extract(epoch from coalesce(${this.#database.now()}::timestamptz, now()) - s.created_at)::float as age_seconds
          from scans s join accounts a on a.id = s.account_id
          where s.status = 'processing' and s.launched_at is null and s.created_at < ${this.#ago(sql, ageSeconds)}
            and coalesce(s.installation, ${installation}) = ${installation}
          order by s.created_at, s.id limit ${limit}`,
    );
    return [...rows];
  }

  /** Scans of the installation that were launched longer ago and are still processing. */
  async launched(installation: string, ageSeconds: number): Promise<BoundScan[]> {
    const rows = await this.#database.run(
      (sql) => sql<BoundScan[]>`
          select id, resource_uid as uid, resource_namespace as namespace from scans
          where status = 'processing' and launched_at < ${this.#ago(sql, ageSeconds)}
            and installation = ${installation} and resource_uid is not null and resource_namespace is not null
          order by created_at, id`,
    );
    return [...rows];
  }

  /** Ids of processing scans of all installations that were launched, or else accepted, longer ago. */
  async overdue(ageSeconds: number): Promise<string[]> {
    const rows = await this.#database.run(
      (sql) => sql<{ id: string }[]>`
          select id from scans
          where status = 'processing' and coalesce(launched_at, created_at) < ${this.#ago(sql, ageSeconds)}
            and (launched_at is not null or installation is not null)
          order by created_at, id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Records the resources of scans. A row that is bound already is not changed. */
  async note(launched: readonly BoundScan[], installation: string): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          update scans set launched_at = coalesce(${this.#database.now()}::timestamptz, now()), installation = ${installation},
            resource_uid = coalesce(resource_uid, noted.uid),
            resource_namespace = coalesce(resource_namespace, noted.namespace)
          from json_to_recordset(${JSON.stringify(launched)}::text::json) as noted (id text, uid text, namespace text)
          where scans.id = noted.id and status = 'processing'`,
    );
  }

  #ago(sql: Sql, seconds: number) {
    return sql`coalesce(${this.#database.now()}::timestamptz, now()) - make_interval(secs => ${seconds})`;
  }
}
