import {
  type Decision,
  type DecisionRequest,
  type FindingEvent,
  type FindingStatus,
  type Mark,
  type Marks,
  type MarkStatus,
  isMarkStatus,
  storableText,
} from "@glovebox/domain";
import { actorJson, type Actor } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import type { ListPage } from "../database/page.ts";
import type { findings } from "./schema.ts";
import {
  findingColumns,
  findingsStatement,
  idsStatement,
  statusAt,
  type FindingFilter,
  type FindingQuery,
} from "./findings-search.ts";

/** A finding over all scans of its target. */
export interface FindingRow extends Pick<
  typeof findings.$inferSelect,
  | "id"
  | "findingId"
  | "targetId"
  | "status"
  | "severity"
  | "confidence"
  | "category"
  | "checkId"
  | "title"
  | "place"
  | "firstSeenAt"
  | "firstScanId"
  | "lastSeenAt"
  | "lastScanId"
  | "openedAt"
  | "fixedAt"
> {
  readonly targetUrl: string;
  /** At how many locations it was seen and has not passed since. */
  readonly places: number;
  readonly mark: Mark | null;
}

export interface HistoryEntry {
  readonly at: Date;
  readonly event: FindingEvent;
  readonly fromStatus: FindingStatus | null;
  readonly toStatus: FindingStatus;
  readonly scanId: string | null;
  readonly reason: string | null;
  readonly expiresAt: Date | null;
  readonly by: string | null;
}

/** A finding of a report over time: the number of its record, and its status now. */
export interface FindingRecord {
  readonly id: number;
  readonly status: FindingStatus;
}

/** What a decision would change. */
export interface Preview {
  /** Findings that match. */
  readonly matching: number;
  /** Of these, those that it would change; the others are in a status that it does not apply to. */
  readonly changing: number;
  /** The first of those that it would change. */
  readonly sample: FindingRow[];
}

/** The maximum number of findings of one decision. */
export const MAX_DECIDED = 5_000;
/** Findings that a preview shows. */
const SAMPLE = 20;
/** Acceptances that one statement opens again. */
const EXPIRED_AT_ONCE = 500;

/** Findings over time. What is no longer accepted is open in every read, also before the periodic task has opened it. */
export class FindingStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Opens everywhere what is no longer accepted; returns how many. */
  async expire(): Promise<number> {
    const [{ expired }] = await this.#database.run(
      (sql) => sql<[{ expired: number }]>`
        select expire_acceptances(null, ${this.#database.now()}, ${EXPIRED_AT_ONCE}) as expired`,
    );
    return expired < EXPIRED_AT_ONCE ? expired : expired + (await this.expire());
  }

  /** A page, and how many there are. */
  async list(accountId: string, query: FindingQuery): Promise<ListPage<FindingRow>> {
    const { text, parameters } = findingsStatement(accountId, query, this.#database.now());
    const rows = await this.#database.run((sql) => sql.unsafe<FindingListColumns[]>(text, parameters));
    const { total = 0, hasMore = false } = rows[0] ?? {};
    return { rows: rows.filter(({ id }) => id !== null).map(toFinding), total, hasMore };
  }

  /** With its history, oldest first; undefined if the account has no such finding. */
  async get(
    accountId: string,
    id: number,
  ): Promise<(FindingRow & { readonly history: HistoryEntry[] }) | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<FindingColumns[]>`
          select ${sql.unsafe(findingColumns(this.#now))} from findings f join targets t on t.id = f.target_id
          where f.id = ${id} and f.account_id = ${accountId}`,
    );
    if (!found) return undefined;
    const history = await this.#database.run(
      (sql) => sql<HistoryEntry[]>`
          select at, event, from_status, to_status, scan_id, reason, expires_at, by
          from finding_history where finding = ${id} order by id`,
    );
    return { ...toFinding(found), history: [...history, ...unrecordedExpiry(found)] };
  }

  /** Where more findings than `MAX_DECIDED` match, the number is one above it: no decision covers that many. */
  async preview(accountId: string, filter: FindingFilter, event: Decision): Promise<Preview> {
    const ids = await this.idsOf(accountId, filter);
    const changing = await this.#database.run(
      (sql) => sql<(FindingColumns & { changing: number })[]>`
          select ${sql.unsafe(findingColumns(this.#now))}, count(*) over ()::integer as changing
          from findings f join targets t on t.id = f.target_id
          join finding_transitions n on n.event = ${event} and n.from_status = ${sql.unsafe(statusAt(this.#now))}
          where f.id = any(${`{${ids.join(",")}}`}::text::bigint[])
          order by severity_rank(f.severity), f.id desc limit ${SAMPLE}`,
    );
    const sample = changing.map(({ changing: _, ...row }) => toFinding(row));
    return { matching: ids.length, changing: changing[0]?.changing ?? 0, sample };
  }

  /** The ids of what a decision would be about, as in its preview. */
  async idsOf(accountId: string, filter: FindingFilter): Promise<number[]> {
    const limits = { now: this.#database.now(), most: MAX_DECIDED + 1 };
    const { text, parameters } = idsStatement(accountId, filter, limits);
    const rows = await this.#database.run((sql) => sql.unsafe<{ id: string }[]>(text, parameters));
    return rows.map(({ id }) => Number(id));
  }

  /** Decides about findings of the account; returns how many have changed. Other ids are left out. */
  async decide(
    accountId: string,
    ids: readonly number[],
    { decision, actor }: { readonly decision: DecisionRequest; readonly actor: Actor },
  ): Promise<number> {
    const { event, reason } = decision;
    const expiresAt = event === "accepted" ? decision.expiresAt : null;
    const [row] = await this.#database.run(
      (sql) => sql<[{ changed: number }]>`
          select decide_findings(${accountId}, ${`{${ids.join(",")}}`}::text::bigint[], ${event}, ${this.#database.now()},
            ${storableText(reason)}, ${expiresAt}::timestamptz, ${actorJson(actor)}::text::jsonb) as changed`,
    );
    return row.changed;
  }

  /** What is recorded of the findings of a scan's target, by their ids in reports. */
  async recordsOf(accountId: string, scanId: string): Promise<Map<string, FindingRecord>> {
    const found = await this.#database.run(
      (sql) => sql<{ findingId: string; id: string; status: FindingStatus }[]>`
          select f.finding_id, f.id, ${sql.unsafe(statusAt(this.#now))} as status
          from scans s join targets t on t.account_id = s.account_id and t.url = s.url
          join findings f on f.target_id = t.id
          where s.id = ${scanId} and s.account_id = ${accountId}`,
    );
    return new Map(found.map(({ findingId, id, status }) => [findingId, { id: Number(id), status }]));
  }

  /** The marks that hold of the findings of a scan's target, by their ids in reports. */
  async marksOf(accountId: string, scanId: string): Promise<Marks> {
    const marked = await this.#database.run(
      (sql) => sql<(MarkColumns & { findingId: string })[]>`
          select f.finding_id, f.status, f.mark_reason, f.mark_expires_at, f.mark_by
          from scans s join targets t on t.account_id = s.account_id and t.url = s.url
          join findings f on f.target_id = t.id and ${sql.unsafe(statusAt(this.#now))} in ('accepted', 'falsePositive')
          where s.id = ${scanId} and s.account_id = ${accountId}`,
    );
    return new Map(marked.map((row) => [row.findingId, markOf(row)!]));
  }

  /** The time of the reads, as SQL. */
  get #now(): string {
    const at = this.#database.now();
    return at === null ? "now()" : `'${at}'::timestamptz`;
  }
}

interface MarkColumns {
  readonly status: FindingStatus;
  readonly markReason: string | null;
  readonly markExpiresAt: Date | null;
  readonly markBy: string | null;
}

type FindingColumns = Omit<FindingRow, "id" | "targetId" | "mark"> &
  MarkColumns & { readonly id: string; readonly targetId: string };
type FindingListColumns = FindingColumns & { readonly total: number; readonly hasMore: boolean };

/** An acceptance that is over, until the periodic task records it: only an accepted finding is stored with a date of expiry. */
function unrecordedExpiry({ status, markExpiresAt }: MarkColumns): HistoryEntry[] {
  if (isMarkStatus(status) || markExpiresAt === null) return [];
  const nobody = { scanId: null, reason: null, expiresAt: null, by: null };
  return [{ at: markExpiresAt, event: "expired", fromStatus: "accepted", toStatus: status, ...nobody }];
}

function toFinding(selected: FindingColumns): FindingRow {
  const { id, targetId, markReason: _, markExpiresAt: __, markBy: ___, ...row } = selected;
  const { total: _total, hasMore: _hasMore, ...columns } = row as typeof row & Partial<FindingListColumns>;
  return { ...columns, id: Number(id), targetId: Number(targetId), mark: markOf(selected) };
}

function markOf({ status, markReason, markExpiresAt, markBy }: MarkColumns): Mark | null {
  if (!isMarkStatus(status)) return null;
  return {
    status: status satisfies MarkStatus,
    reason: markReason ?? "",
    ...(markExpiresAt && { expiresAt: markExpiresAt.toISOString() }),
    ...(markBy !== null && { by: markBy }),
  };
}
