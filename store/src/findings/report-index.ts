import { changesOf, findingsIndexOf, storableJson, type KnownFinding } from "@glovebox/domain";
import { type Report } from "@glovebox/contract";
import type { Database } from "../database/database.ts";

/**
 * Reports whose findings are not in the table yet: an older release recorded them, or an error kept them out. Their order is
 * the order of their ends, for each target.
 */
export class ReportIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Scans with such reports, at most this many, in order. */
  async waiting(limit: number): Promise<string[]> {
    const rows = await this.#database.run(
      (sql) => sql<{ id: string }[]>`
          select id from scans where status = 'completed' and findings_index = 'pending'
          order by account_id, url, ended_at limit ${limit}`,
    );
    return rows.map(({ id }) => id);
  }

  /** Indexes the report of a scan. False when its content cannot be: it does not wait any longer. */
  async index(id: string): Promise<boolean> {
    const [report] = await this.#database.run(
      (sql) => sql<{ body: string }[]>`select body from reports where scan_id = ${id}`,
    );
    const index = indexOf(report?.body);
    const changes = index && storableJson(changesOf(index, await knownFindings(this.#database, id)));
    const [row] = await this.#database.run(
      (sql) => sql<[{ state: string | null }]>`
          select index_waiting_report(${id}, ${changes ?? null}) as state`,
    );
    return row.state !== "failed";
  }
}

function indexOf(body: string | undefined) {
  try {
    return body === undefined ? undefined : findingsIndexOf(JSON.parse(body) as Report);
  } catch {
    return undefined; // a report of an unknown form
  }
}

/** The findings of a scan's target that a report can fix, with where they were seen. */
export const knownFindings = (database: Database, scanId: string): Promise<KnownFinding[]> =>
  database.run(
    (sql) => sql<KnownFinding[]>`
      select f.finding_id as id, f.seen_at from scans s
      join targets t on t.account_id = s.account_id and t.url = s.url
      join findings f on f.target_id = t.id and f.seen_at <> '{}'
      where s.id = ${scanId}`,
  );
