import {
  journalEntryOf,
  notedWriteSchema,
  type JournalEntry,
  type NotedWrite,
  type Resumption,
} from "@glovebox/contract";
import { storableJson } from "@glovebox/domain";
import type { Database } from "../database/database.ts";

/** What the attempts of active scans share. */
export class ScanWrites {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Writes that the scanner of a scan has noted; a later note of one replaces an earlier one. Also those that arrive after the scan was
   * cancelled. Nothing of a scan that completed, or that does not exist.
   */
  async note(scanId: string, writes: readonly NotedWrite[]): Promise<void> {
    const latest = [...new Map(writes.map((write) => [write.seq, write])).values()];
    if (latest.length === 0) return;
    await this.#database.run(
      (sql) => sql`
        insert into scan_writes (scan_id, seq, entry)
        select s.id, (noted->>'seq')::smallint, noted
        from scans s, jsonb_array_elements(${storableJson(latest)}::text::jsonb) as noted
        where s.id = ${scanId} and s.mode = 'active' and s.status <> 'completed'
        on conflict (scan_id, seq) do update set entry = excluded.entry`,
    );
  }

  /** Of a processing active scan; undefined for any other. */
  async resumptionOf(scanId: string): Promise<Resumption | undefined> {
    const [scan] = await this.#database.run(
      (sql) => sql<{ seed: string }[]>`
        select seed from scans where id = ${scanId} and status = 'processing' and seed is not null`,
    );
    return scan && { seed: scan.seed, writes: await writesOf(this.#database, scanId) };
  }
}

async function writesOf(database: Database, scanId: string): Promise<NotedWrite[]> {
  const rows = await database.run(
    (sql) => sql<{ entry: unknown }[]>`select entry from scan_writes where scan_id = ${scanId} order by seq`,
  );
  return rows.map(({ entry }) => notedWriteSchema.parse(entry));
}

/** The writes as the journal of a report has them. */
export async function journalOf(database: Database, scanId: string): Promise<JournalEntry[]> {
  const writes = await writesOf(database, scanId);
  return writes.map(journalEntryOf);
}
