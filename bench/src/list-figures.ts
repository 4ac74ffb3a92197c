import { SEVERITIES } from "@glovebox/contract";
import type { FindingQuery, ScanQuery } from "@glovebox/store";
import postgres from "postgres";
// By path: only the store runs these statements.
import { findingsStatement } from "../../store/src/findings/findings-search.ts";
import { scansStatement } from "../../store/src/scans/scan-search.ts";
import { declareLoadAccount } from "./child.ts";
import { startDatabase, type BenchDatabase } from "./database.ts";
import { median, spreadOf, type Figure } from "./figures.ts";

const SCANS = 1_000_000;
const FINDINGS = 5_000_000;
const TARGETS = 1_000;
const ROUNDS = 15;
const GOAL_MS = 100;

/** What one page of a list is asked for. */
interface Case {
  readonly name: string;
  readonly list: () => Promise<unknown>;
  readonly bare: () => Promise<unknown>;
}

/** Filtered and sorted pages of one account's scans and findings, each compared with its statement alone. */
export async function listFigures(report: (line: string) => void): Promise<Figure[]> {
  await using database = await startDatabase();
  report("the database is up; filling it, which takes some minutes");
  const { id } = await declareLoadAccount(database.store, "reader");
  const sql = postgres(database.url, { max: 1 });
  try {
    await fill(sql, id);
    const figures: Figure[] = [];
    for (const each of [
      ...findingCases(database, sql, id),
      ...scanCases(database, sql, id),
      ...others(database, id),
    ]) {
      report(each.name);
      figures.push(await figureOf(each));
    }
    return figures;
  } finally {
    await sql.end();
  }
}

const page = { limit: 50, offset: 0 };

function findingCases({ store }: BenchDatabase, sql: postgres.Sql, account: string): Case[] {
  const queries: Record<string, Partial<FindingQuery>> = {
    "Findings, worst first": {},
    "Findings to be dealt with": { status: ["open", "reopened"] },
    "Findings at 10,000": { status: ["open", "reopened"], offset: 10_000 },
    "Findings of a check": { check: "check-77" },
    "Findings of a category and a severity": { category: "ssrf", severity: ["high"], sort: "oldest" },
    "Findings of a target": { target: 77, sort: "newest" },
    "Findings with a rare text": { text: "nothing has it" },
    "Findings with a common text": { text: "weakness", status: ["open", "reopened"] },
  };
  return Object.entries(queries).map(([name, query]) => {
    const { text, parameters } = findingsStatement(account, { ...page, ...query }, null);
    return {
      name,
      list: () => store.findings.list(account, { ...page, ...query }),
      bare: () => sql.unsafe(text, parameters),
    };
  });
}

function scanCases({ store }: BenchDatabase, sql: postgres.Sql, account: string): Case[] {
  const queries: Record<string, Partial<ScanQuery>> = {
    "Scans, newest first": {},
    "Scans at 10,000": { offset: 10_000 },
    "Scans with the worst score": { sort: "worst" },
    "Scans that failed": { status: "failed" },
    "Scans of a grade that few have": { grade: "F" },
    "Scans of a context": { context: "medical" },
    "Scans of a target": { target: 77 },
    "Scans with a text in the URL": { text: "target-77" },
    "Scans with a text that no URL has": { text: "nothing has it" },
  };
  return Object.entries(queries).map(([name, query]) => {
    const { text, parameters } = scansStatement(account, { ...page, ...query });
    return {
      name,
      list: () => store.scanSearch.list(account, { ...page, ...query }),
      bare: () => sql.unsafe(text, parameters),
    };
  });
}

/** Compared with an empty statement. */
function others({ store }: BenchDatabase, account: string): Case[] {
  const bare = async (): Promise<void> => void (await store.findings.expire());
  return [
    {
      name: "Targets, worst first",
      list: () => store.targets.list(account, { ...page, sort: "worst" }),
      bare,
    },
    { name: "A target", list: () => store.targets.get(account, 77), bare },
    { name: "The overview", list: () => store.overview.get(account), bare },
  ];
}

async function figureOf({ name, list, bare }: Case): Promise<Figure> {
  const rounds: { product: number; baseline: number }[] = [];
  await list();
  await bare();
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ product: await msOf(list), baseline: await msOf(bare) });
  const product = median(rounds.map((each) => each.product));
  const baseline = median(rounds.map((each) => each.baseline));
  return {
    name,
    product: `${product.toFixed(1)} ms`,
    baseline: `${baseline.toFixed(1)} ms`,
    ratio: spreadOf(rounds.map((each) => each.product / each.baseline)),
    goal: { text: `under ${GOAL_MS} ms`, met: product < GOAL_MS },
  };
}

async function msOf(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

/** All of one account: the scans and the findings of 1,000 targets, a few of them accepted, failed or of a rare grade. */
async function fill(sql: postgres.Sql, account: string): Promise<void> {
  await sql`set session_replication_role = replica`; // no foreign keys, which hold by construction
  await sql`set maintenance_work_mem = '512MB'`;
  const restore = await dropIndexes(sql, ["scans", "findings"]);
  await sql`
    insert into targets (account_id, url, changed_at, last_status, score, grade, open)
    select ${account}, 'https://api.example/target-' || n, now() - n * interval '1 minute', 'completed', n % 101, 'A',
      '{"critical": 1, "high": 2, "medium": 3, "low": 4, "info": 5}'
    from generate_series(1, ${TARGETS}::int) n`;
  await sql`
    insert into scans (id, account_id, url, context, status, created_at, ended_at, score, grade, charged_month,
      charged_shard, target_id, findings_index)
    select 'scan-' || lpad(n::text, 26, '0'), ${account}, 'https://api.example/target-' || n % ${TARGETS} + 1,
      case when n % 100 = 0 then 'medical' end, case when n % 1000 = 0 then 'failed' else 'completed' end,
      now() - n * interval '10 seconds', now() - n * interval '10 seconds',
      case when n % 1000 > 0 then 50 + n % 50 end, case when n % 1000 = 0 then null when n % 5000 = 1 then 'F' else 'A' end,
      '2026-11', 0, n % ${TARGETS} + 1, 'done'
    from generate_series(1, ${SCANS}::int) n`;
  await sql`
    insert into findings (account_id, target_id, finding_id, status, severity, confidence, category, check_id, title, place,
      seen_at, first_seen_at, first_scan_id, last_seen_at, last_scan_id, opened_at, fixed_at, mark_reason, mark_expires_at)
    select ${account}, n % ${TARGETS} + 1, lpad(to_hex(n), 16, '0'), status,
      (${[...SEVERITIES]}::text[])[1 + n % 5], 'firm', case when n % 7 = 0 then 'ssrf' else 'encryption' end,
      'check-' || n % 350, 'A weakness of check ' || n % 350, 'GET /orders/' || n,
      '{}', at, 'scan', at, 'scan', at, case when status = 'fixed' then at + interval '1 day' end,
      case when status = 'accepted' then 'Known' end, case when status = 'accepted' then now() + interval '30 days' end
    from generate_series(1, ${FINDINGS}::int) n, lateral (
      select now() - (${FINDINGS} - n) * interval '2 seconds' as at,
        case when n % 10 < 6 then 'fixed' when n % 10 < 9 then 'open' when n % 100 = 9 then 'accepted' else 'reopened' end as status
    ) as made`;
  for (const statement of restore) await sql.unsafe(statement);
  await sql`vacuum analyze targets`;
  await sql`vacuum analyze scans`;
  await sql`vacuum analyze findings`;
}

/** Drops all that slows down the filling; returns the statements that bring it back. */
async function dropIndexes(sql: postgres.Sql, tables: readonly string[]): Promise<string[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename = any(${[...tables]}) and indexname not in (
      select conname from pg_constraint)`;
  const constraints = await sql<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'u' and conrelid::regclass::text = any(${[...tables]})`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  for (const { table, name } of constraints) await sql.unsafe(`alter table ${table} drop constraint ${name}`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...constraints.map(
      ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
    ),
  ];
}
