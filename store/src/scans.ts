import { type ScanSummary, scanFailure } from "@glovebox/contract";
import type { Announcer } from "./announcer.ts";
import type { Database } from "./database.ts";
import { SCAN_COLUMNS, type ScanRecord, toScanRow } from "./scan-record.ts";
import type {
  Adoption,
  AdoptResult,
  Binding,
  ScanRow,
  ScanStore,
  Submission,
  SubmitResult,
} from "./store.ts";

/** A page of an account ($1): one walk along an index. Each row carries the total, which is added up once. */
export const PAGE_QUERY = `
  select id, url, status, score, grade, findings_count as "findingsCount", created_at as "createdAt",
    (select coalesce(sum(scans), 0) from scan_counts where account_id = $1) as total
  from scans where account_id = $1
  order by created_at desc, id desc limit $2 offset $3`;

/** The scan of an id ($1) in an account ($2), with its report. */
export const SCAN_QUERY = `
  select ${SCAN_COLUMNS}, r.body as "reportJson"
  from scans s left join reports r on r.scan_id = s.id
  where s.id = $1 and s.account_id = $2`;

/** Takes the arguments of the function submit_scan. */
export const SUBMIT_QUERY = `
  select outcome, scan, at from submit_scan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/** Scans as clients see them. */
export function scanStore(database: Database, announcer: Announcer): ScanStore {
  const store: ScanStore = {
    async submit(submission) {
      const { outcome, scan, at } = await submitScan(database, submission);
      if (outcome === "conflict") return { outcome };
      if (outcome === "quotaExceeded") return { outcome, at: new Date(at) };
      if (outcome === "created") {
        announcer.announce({ type: "scanSubmitted", id: submission.id });
        return { outcome, scan: newRow(submission, new Date(at)) };
      }
      const earlier = await store.get(submission.account.id, scan);
      return earlier ? { outcome, scan: earlier.scan } : store.submit(submission); // erased a moment ago
    },

    async foresee(submission) {
      const { outcome, scan, at } = await foreseeScan(database, submission);
      if (outcome === "conflict") return { outcome };
      if (outcome === "quotaExceeded") return { outcome, at: new Date(at) };
      const earlier = outcome && (await store.get(submission.account.id, scan));
      return earlier ? { outcome, scan: earlier.scan } : undefined;
    },

    adopt: (adoption) => adoptScan(database, adoption),
    bind: (binding) => bindScan(database, binding),

    async get(accountId, id) {
      const [found] = await database.run(({ sql }) =>
        sql.unsafe<FoundRecord[]>(SCAN_QUERY, [id, accountId], { prepare: true }),
      );
      return found && { scan: toScanRow(found), reportJson: found.reportJson };
    },

    async list(accountId, { limit, offset }) {
      const page = await pageOf(database, accountId, { limit, offset });
      const total = page[0] ? page[0].total : await totalOf(database, accountId);
      return { scans: page.map(toSummary), total: Number(total) };
    },

    async remove(accountId, id) {
      const { code, message } = scanFailure("cancelled");
      const [row] = await database.run(
        ({ sql }) => sql<[{ outcome: "cancelled" | "erased" | "missing" }]>`
          select remove_scan(${accountId}, ${id}, ${database.now()}, ${code}, ${message}) as outcome`,
      );
      return row.outcome;
    },
  };
  return store;
}

type FoundRecord = ScanRecord & { reportJson: string | null };
type Submitted = { outcome: SubmitResult["outcome"]; scan: string; at: string };

async function submitScan(database: Database, submission: Submission): Promise<Submitted> {
  const { id, account, url, specUrl = null, context = null, idempotency, scansPerMonth } = submission;
  const { installation = null } = submission;
  const { key = null, bodyDigest = null } = idempotency ?? {};
  const charged = [database.now(), null, scansPerMonth];
  const parameters = [id, account.id, url, specUrl, context, ...charged, key, bodyDigest, installation];
  const [row] = await database.run(({ sql }) =>
    sql.unsafe<[Submitted]>(SUBMIT_QUERY, parameters, { prepare: true }),
  );
  return row;
}

type Foreseen = { outcome: Exclude<SubmitResult["outcome"], "created"> | null; scan: string; at: string };

async function foreseeScan(database: Database, submission: Submission): Promise<Foreseen> {
  const { account, idempotency, scansPerMonth } = submission;
  const { key = null, bodyDigest = null } = idempotency ?? {};
  if (key === null && scansPerMonth === null) return { outcome: null, scan: "", at: "" };
  const [row] = await database.run(
    ({ sql }) => sql<[Foreseen]>`
      select outcome, scan, at
      from foresee_scan(${account.id}, ${database.now()}, ${scansPerMonth}, ${key}, ${bodyDigest})`,
  );
  return row;
}

async function adoptScan(database: Database, adoption: Adoption): Promise<AdoptResult> {
  const { id, accountName, url, specUrl = null, context = null, scansPerMonth } = adoption;
  const { uid, namespace, installation } = adoption.resource;
  const [row] = await database.run(
    ({ sql }) => sql<[{ outcome: AdoptResult }]>`
      select adopt_scan(${id}, ${accountName}, ${url}, ${specUrl}, ${context}, ${database.now()},
        ${null}, ${scansPerMonth}, ${uid}, ${namespace}, ${installation}) as outcome`,
  );
  return row.outcome;
}

async function bindScan(database: Database, binding: Binding): Promise<boolean> {
  const { id, accountName = null, url, specUrl = null, context = null, resource } = binding;
  const bound = await database.run(
    ({ sql }) => sql`
      update scans set resource_uid = ${resource.uid}, resource_namespace = ${resource.namespace},
        installation = ${resource.installation}, launched_at = coalesce(launched_at, ${database.now()}::timestamptz, now())
      from accounts a
      where scans.id = ${id} and resource_uid is null and a.id = account_id and url = ${url}
        and spec_url is not distinct from ${specUrl} and context is not distinct from ${context}
        and a.name = coalesce(${accountName}, a.name)
      returning scans.id`,
  );
  return bound.length === 1;
}

function newRow({ id, account, url, specUrl, context }: Submission, createdAt: Date): ScanRow {
  return {
    id,
    accountId: account.id,
    url,
    specUrl: specUrl ?? null,
    context: context ?? null,
    status: "processing",
    createdAt,
    completedAt: null,
    progress: { done: 0, planned: 0 },
    failure: null,
  };
}

type SummaryRecord = ScanSummary & { total: string };

const pageOf = (
  database: Database,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<SummaryRecord[]> =>
  database.run(({ sql }) =>
    sql.unsafe<SummaryRecord[]>(PAGE_QUERY, [accountId, limit, offset], { prepare: true }),
  );

async function totalOf(database: Database, accountId: string): Promise<string> {
  const [row] = await database.run(
    ({ sql }) => sql<[{ total: string }]>`
      select coalesce(sum(scans), 0) as total from scan_counts where account_id = ${accountId}`,
  );
  return row.total;
}

const toSummary = ({ total: _, ...summary }: SummaryRecord): ScanSummary => ({
  ...summary,
  createdAt: new Date(summary.createdAt).toISOString(),
});
