import { type DeliveredOutcome, type ProgressFrame, unpacked } from "@glovebox/scan-run";
import { type Progress, isRefunded } from "@glovebox/contract";
import { changesOf, storableJson, storableText } from "@glovebox/domain";
import type { Database } from "../database/database.ts";
import { GroupedReads } from "../database/grouped-reads.ts";
import type { Announcer, StoreEvent } from "../database/events.ts";
import { knownFindings } from "../findings/report-index.ts";
import { ScanClaims } from "./claims.ts";
import { SCAN_COLUMNS, type ScanRow, type ScanColumns, toScanRow } from "./scan-row.ts";

/**
 * The queue of scans for workers. A claim that is not renewed in time may be taken by another worker. Leases use the clock of
 * PostgreSQL, because the clocks of workers may differ.
 */
export class WorkStore {
  readonly #database: Database;
  readonly #announcer: Pick<Announcer, "announce">;
  readonly #claims: ScanClaims;
  readonly #rows: GroupedReads<ScanRow>;

  constructor(database: Database, announcer: Pick<Announcer, "announce">) {
    this.#database = database;
    this.#announcer = announcer;
    this.#claims = new ScanClaims(database);
    this.#rows = new GroupedReads((ids) => rowsOf(database, ids));
  }

  /** The next processing scan that no worker has claimed. Its `attempts` include this one. */
  claim(...of: Parameters<ScanClaims["next"]>): Promise<ScanRow | undefined> {
    return this.#claims.next(...of);
  }

  /** Prolongs the claims; returns the ids that the worker still holds and that are still processing. */
  async renew(worker: string, ids: readonly string[], leaseSeconds: number): Promise<string[]> {
    const held = await this.#database.run(
      (sql) => sql<{ id: string }[]>`
          update scans
          set lease_until = coalesce(${this.#database.now()}::timestamptz, now()) + make_interval(secs => ${leaseSeconds})
          where id = any(${[...ids]}::text[]) and worker = ${worker} and status = 'processing' returning id`,
    );
    return held.map(({ id }) => id);
  }

  /** Releases claims immediately, for a graceful shutdown; the attempt is not counted. */
  async release(worker: string, ids: readonly string[]): Promise<void> {
    const released = await this.#database.run(
      (sql) => sql<{ id: string }[]>`
          update scans set worker = null, lease_until = null, attempts = greatest(attempts - 1, 0)
          where id = any(${[...ids]}::text[]) and worker = ${worker} and status = 'processing' returning id`,
    );
    for (const { id } of released) this.#announcer.announce({ type: "scanSubmitted", id });
  }

  /** Writes progress of a processing scan and announces it. */
  async progress(id: string, { category, done, planned }: ProgressFrame, total: Progress): Promise<void> {
    const event: StoreEvent = { type: "scanProgress", id, frame: { category, done, planned }, total };
    await this.#database.run(
      (sql) => sql`
          with written as (
            update scans set progress_done = ${total.done}, progress_planned = ${total.planned}
            where id = ${id} and status = 'processing' returning id
          ) select pg_notify('glovebox', ${JSON.stringify(event)}) from written`,
    );
  }

  /**
   * Records how a scan ended, in one transaction that only a processing row accepts, and announces it.
   * A failure that was the service's own is refunded to the quota of the month that was charged.
   * The findings of a report are compared with those that are known of the target, which may change meanwhile: only
   * the locations that passed in this report are taken from them.
   * Returns false, and changes nothing, when the scan had already ended.
   */
  async record(id: string, outcome: DeliveredOutcome): Promise<boolean> {
    const ending = await columnsOf(outcome);
    const index = await indexOf(this.#database, id, outcome);
    const [row] = await this.#database.run(
      (sql) => sql<[{ recorded: boolean }]>`
          select end_scan(${id}, ${this.#database.now()}, ${ending.score}, ${ending.grade}, ${ending.findings},
            ${ending.text}, ${ending.code}, ${ending.message}, ${ending.refunded}, ${index}, ${ending.reason},
            ${ending.packed}) as recorded`,
    );
    return row.recorded;
  }

  /** The row of a scan of any account, as it is now. Concurrent calls share statements. */
  find(id: string): Promise<ScanRow | undefined> {
    return this.#rows.get(id);
  }
}

async function rowsOf(database: Database, ids: readonly string[]): Promise<Map<string, ScanRow>> {
  const found = await database.run(
    (sql) =>
      sql<
        ScanColumns[]
      >`select ${sql.unsafe(SCAN_COLUMNS)} from scans s where s.id = any(${[...ids]}::text[])`,
  );
  return new Map(found.map((columns) => [columns.id, toScanRow(columns)]));
}

async function indexOf(database: Database, id: string, outcome: DeliveredOutcome): Promise<string | null> {
  if (outcome.status === "failed") return null;
  const known = await knownFindings(database, id);
  return storableJson(changesOf(outcome.report.index, known));
}

/** The columns of an outcome. */
async function columnsOf(outcome: DeliveredOutcome) {
  if (outcome.status === "failed") {
    const { code, message, reason = null } = outcome.failure;
    const failure = { code, message: storableText(message), reason, refunded: isRefunded(code) };
    return { score: null, grade: null, findings: 0, text: null, packed: null, ...failure };
  }
  const { score, grade, findings, body: packed } = outcome.report;
  const success = { code: null, message: null, reason: null, refunded: false };
  return { score, grade, findings, text: await unpacked(packed), packed, ...success };
}
