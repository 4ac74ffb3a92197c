import postgres from "postgres";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newScanId } from "@glovebox/contract";
import { COMMAND_LINE, migrate, openStore, type Store } from "@glovebox/store";
// By path: cli exports nothing.
import { startPostgres } from "../../cli/src/standalone/postgres/start.ts";
import { completed } from "../../store/src/testing/fixtures.ts";
import type { LoadAccount } from "./child.ts";

/** A migrated PostgreSQL for this run. */
export interface BenchDatabase extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  /** A folder for files of this run, which is deleted afterwards. */
  readonly folder: string;
}

/** Without fsync, because the disk would hide the cost of the processes. */
export async function startDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-bench-"));
  chmodSync(folder, 0o711); // PostgreSQL's unprivileged user must enter it
  const server = await startPostgres({ dataDir: folder, fsync: false });
  await migrate(server.url);
  const store = await openStore({ url: server.url });
  return {
    url: server.url,
    store,
    folder,
    async [Symbol.asyncDispose]() {
      await store.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Inserts completed scans of an account, one for each second, and runs VACUUM ANALYZE. Returns their ids. */
export async function insertScans(url: string, accountId: string, count: number): Promise<string[]> {
  const sql = postgres(url, { max: 1 });
  const first = new Date(Date.now() - count * 1000);
  const stem = newScanId(first).slice(0, 20);
  try {
    await sql`
      insert into scans (id, account_id, url, status, created_at, ended_at, score, grade, charged_month,
        charged_shard)
      select ${stem} || lpad(to_hex(n), 11, '0'), ${accountId}, 'https://api.example/v1', 'completed', ended, ended,
        93, 'A', '2026-11', 0
      from generate_series(1, ${count}::int) n, lateral (select ${first}::timestamptz + n * interval '1 second') as t(ended)`;
    await sql`insert into scan_counts values (${accountId}, 0, ${count})`;
    await sql`vacuum analyze scans`;
    return Array.from({ length: count }, (_, n) => stem + (n + 1).toString(16).padStart(11, "0"));
  } finally {
    await sql.end();
  }
}

/** Records a completed scan with a small report. Returns its id. */
export async function completedScan(store: Store, { id }: LoadAccount): Promise<string> {
  const now = new Date();
  const account = await store.accounts.find("reader");
  const submission = {
    actor: COMMAND_LINE,
    id: newScanId(now),
    account: account!,
    url: "https://api.example/v1",
  };
  const submitted = await store.scans.submit(submission);
  if (submitted.outcome !== "created" || account!.id !== id)
    throw new Error("The sample scan was not created");
  await store.work.record(submission.id, completed());
  return submission.id;
}
