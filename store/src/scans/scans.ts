import {
  PLANS,
  type IdentitiesFile,
  type ScanRequest,
  type ScanSummary,
  scanFailure,
} from "@glovebox/contract";
import type { Account } from "../accounts/accounts.ts";
import { type AdoptResult, type ResourceScan, adoptScan, bindScan } from "./adoption.ts";
import { actorJson, type Actor } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import type { Announcer } from "../database/events.ts";
import { REPORT_COLUMNS, packedReportOf, type ReportColumns } from "./report-column.ts";
import { SCAN_COLUMNS, columnOf, type ScanRow, type ScanColumns, toScanRow } from "./scan-row.ts";
import { journalOf } from "./scan-writes.ts";

/**
 * A request to scan, its addresses in normal form, with the account that is charged. Its identities are stored encrypted until the scan
 * ends, and only where `ScanIdentities.isAvailable`.
 */
export interface Submission extends ScanRequest, Partial<IdentitiesFile> {
  readonly id: string;
  readonly account: Account;
  readonly actor: Actor;
  /** The client's key, and a digest of the body that came with it. */
  readonly idempotency?: { readonly key: string; readonly bodyDigest: string } | undefined;
  /** The installation that launches it; undefined in standalone mode. */
  readonly installation?: string | undefined;
}

export type SubmitResult =
  | { readonly outcome: "created"; readonly scan: ScanRow }
  | { readonly outcome: "replayed"; readonly scan: ScanRow }
  | { readonly outcome: "conflict" }
  /** The quota of the month is used up; it is renewed in this many seconds, by the clock of PostgreSQL. */
  | { readonly outcome: "quotaExceeded"; readonly renewedInSeconds: number };

/** A page of an account ($1), by one index scan. Each row has the total, which is computed once. */
export const PAGE_QUERY = `
  select id, url, status, score, grade, findings_count, created_at,
    (select coalesce(sum(scans), 0) from scan_counts where account_id = $1) as total
  from scans where account_id = $1
  order by created_at desc, id desc limit $2 offset $3`;

/** The scan of an id ($1) in an account ($2), with its report. */
export const SCAN_QUERY = `
  select ${SCAN_COLUMNS}, ${REPORT_COLUMNS}
  from scans s left join reports r on r.scan_id = s.id
  where s.id = $1 and s.account_id = $2`;

/** Takes the arguments of the function start_scan. */
export const SUBMIT_QUERY = `
  select outcome, renewed_in, ${SCAN_COLUMNS}
  from start_scan($1, $2, $3, $4, $5, $6, $7::text, $8::text, $9::text, $10::text::jsonb, $11::text[], $12::text[],
      $13::text[], $14::text, $15::text) as submitted,
    lateral (select (submitted.scan).*) as s`;

/** Identities as they are stored with the scan. */
type EncryptIdentities = (scan: Submission, file: IdentitiesFile) => string;

/** Scans as clients see them. */
export class ScanStore {
  readonly #database: Database;
  readonly #announcer: Pick<Announcer, "announce">;
  readonly #encrypted: EncryptIdentities;

  constructor(database: Database, announcer: Pick<Announcer, "announce">, encrypted: EncryptIdentities) {
    this.#database = database;
    this.#announcer = announcer;
    this.#encrypted = encrypted;
  }

  /** The row with its report; undefined if the account has no scan of this id. */
  async get(accountId: string, id: string): Promise<ScanRow | undefined> {
    const [found] = await this.#database.run((sql) =>
      sql.unsafe<(ScanColumns & ReportColumns)[]>(SCAN_QUERY, [id, accountId], { prepare: true }),
    );
    if (!found) return undefined;
    const { packed, reportText, ...scan } = found;
    const row = await this.#withJournal(toScanRow(scan));
    return { ...row, packedReport: await packedReportOf({ packed, reportText }) };
  }

  /** The row alone. */
  async find(accountId: string, id: string): Promise<ScanRow | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<ScanColumns[]>`
          select ${sql.unsafe(SCAN_COLUMNS)} from scans s where s.id = ${id} and s.account_id = ${accountId}`,
    );
    return found && this.#withJournal(toScanRow(found));
  }

  /** The journal of a scan that completed is in its report. */
  async #withJournal(row: ScanRow): Promise<ScanRow> {
    const isAlone = row.mode !== null && row.status === "failed";
    return isAlone ? { ...row, journal: await journalOf(this.#database, row.id) } : row;
  }

  /**
   * One transaction: idempotency, charge, row, entry in the audit log. Exact under any concurrency, over any number of
   * processes. A request refused over the quota, or whose scan was deleted, leaves its Idempotency-Key free.
   */
  async submit(submission: Submission): Promise<SubmitResult> {
    const { outcome, renewedIn, ...scan } = await this.#insert(submission);
    if (outcome === "conflict") return { outcome };
    if (outcome === "quotaExceeded") return { outcome, renewedInSeconds: renewedIn };
    if (outcome === "created") {
      this.#announcer.announce({ type: "scanSubmitted", id: submission.id });
      return { outcome, scan: toScanRow(scan) };
    }
    const earlier = await this.get(submission.account.id, scan.id);
    return earlier ? { outcome, scan: earlier } : this.submit(submission); // deleted a moment ago
  }

  /**
   * The result that `submit` would return now without creating a scan; undefined if it would create one. Nothing is charged
   * or written: only `submit` decides.
   */
  async precheck(submission: Submission): Promise<Exclude<SubmitResult, { outcome: "created" }> | undefined> {
    const { account } = submission;
    if (!submission.idempotency && isUnlimited(account)) return undefined;
    const { outcome, scan, renewedIn } = await precheckScan(this.#database, submission);
    if (outcome === "conflict") return { outcome };
    if (outcome === "quotaExceeded") return { outcome, renewedInSeconds: renewedIn };
    if (outcome === null) return undefined;
    const earlier = await this.get(account.id, scan);
    return earlier && { outcome, scan: earlier };
  }

  async #insert(submission: Submission): Promise<Submitted> {
    const { identities, expectations } = submission;
    const ciphertext = identities ? this.#encrypted(submission, { identities, expectations }) : null;
    const parameters = submitParameters(submission, this.#database.now(), ciphertext);
    const [row] = await this.#database.run((sql) =>
      sql.unsafe<[Submitted]>(SUBMIT_QUERY, parameters, { prepare: true }),
    );
    return row;
  }

  adopt(scan: ResourceScan): Promise<AdoptResult> {
    return adoptScan(this.#database, scan);
  }

  bind(scan: ResourceScan): Promise<boolean> {
    return bindScan(this.#database, scan);
  }

  /** One indexed query, newest first; `total` comes from a counter. */
  async list(
    accountId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ scans: ScanSummary[]; total: number }> {
    const page = await this.#database.run((sql) =>
      sql.unsafe<ScanSummaryColumns[]>(PAGE_QUERY, [accountId, limit, offset], { prepare: true }),
    );
    const total = page[0] ? page[0].total : await totalOf(this.#database, accountId);
    return { scans: page.map(toSummary), total: Number(total) };
  }

  /** Cancels a processing scan: it becomes failed, `cancelled`. False, and nothing is changed, for any other. */
  async cancel(accountId: string, id: string): Promise<boolean> {
    const { code, message } = scanFailure("cancelled");
    const [row] = await this.#database.run(
      (sql) => sql<[{ cancelled: boolean }]>`
          select cancel_scan(${accountId}, ${id}, ${this.#database.now()}, ${code}, ${message}) as cancelled`,
    );
    return row.cancelled;
  }

  /** Cancels a processing scan, deletes an ended one. */
  async remove(accountId: string, id: string): Promise<"cancelled" | "deleted" | "missing"> {
    const { code, message } = scanFailure("cancelled");
    const [row] = await this.#database.run(
      (sql) => sql<[{ outcome: "cancelled" | "erased" | "missing" }]>`
          select remove_scan(${accountId}, ${id}, ${this.#database.now()}, ${code}, ${message}) as outcome`,
    );
    return row.outcome === "erased" ? "deleted" : row.outcome;
  }
}

const isUnlimited = ({ plan, scansPerMonth, suspendedAt }: Account): boolean =>
  suspendedAt === null && (scansPerMonth ?? PLANS[plan].scansPerMonth) === null;

/** The result of the function start_scan: with the columns of the scan, of the outcomes created and replayed. */
type Submitted = ScanColumns & {
  readonly outcome: SubmitResult["outcome"];
  /** Of the outcome quotaExceeded, in seconds. */
  readonly renewedIn: number;
};

/** The arguments of `SUBMIT_QUERY`. */
export function submitParameters(
  submission: Omit<Submission, "account"> & { readonly account: Pick<Account, "id"> },
  now: string | null,
  ciphertext: string | null = null,
): (string | string[] | null)[] {
  const { id, account, url, specUrl = null, context = null, idempotency, installation = null } = submission;
  const { include = null, exclude = null, identities, mode } = submission;
  const { key = null, bodyDigest = null } = idempotency ?? {};
  const names = identities?.map(({ name }) => name) ?? null;
  const request = [id, account.id, url, specUrl, context, now, key, bodyDigest, installation];
  return [...request, actorJson(submission.actor), include, exclude, names, ciphertext, columnOf(mode)];
}

/** The result of the function foresee_scan. */
interface Precheck {
  readonly outcome: Exclude<SubmitResult["outcome"], "created"> | null;
  /** Of the outcome replayed. */
  readonly scan: string;
  readonly renewedIn: number;
}

async function precheckScan(database: Database, { account, idempotency }: Submission): Promise<Precheck> {
  const { key = null, bodyDigest = null } = idempotency ?? {};
  const [row] = await database.run(
    (sql) => sql<[Precheck]>`
      select outcome, scan, renewed_in
      from foresee_scan(${account.id}, ${database.now()}, ${key}, ${bodyDigest})`,
  );
  return row;
}

type ScanSummaryColumns = Pick<ScanRow, Exclude<keyof ScanSummary, "createdAt">> & {
  readonly createdAt: Date;
  /** Of the account, as PostgreSQL's text of a bigint. */
  readonly total: string;
};

async function totalOf(database: Database, accountId: string): Promise<string> {
  const [row] = await database.run(
    (sql) => sql<[{ total: string }]>`
      select coalesce(sum(scans), 0) as total from scan_counts where account_id = ${accountId}`,
  );
  return row.total;
}

const toSummary = (listed: ScanSummaryColumns): ScanSummary => ({
  id: listed.id,
  url: listed.url,
  status: listed.status,
  score: listed.score,
  grade: listed.grade,
  findingsCount: listed.findingsCount,
  createdAt: listed.createdAt.toISOString(),
});
