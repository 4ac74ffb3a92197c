import postgres from "postgres";

/** All that is on record of scans, for tests that look whether nothing was lost or done twice. */
export interface Ledger {
  readonly scans: readonly {
    readonly id: string;
    readonly account: string;
    readonly status: string;
    readonly failure: string | null;
  }[];
  /** Scans that each account was charged for. */
  readonly charged: readonly { readonly account: string; readonly started: number }[];
  /** What was written since `keepLedger`, each time that it was: `submitted`, a status that ended a scan, `report`. */
  readonly history: readonly { readonly scan: string; readonly what: string; readonly at: Date }[];
}

/** Has the database note each row of a scan, each end and each report that is written from now on. */
export const keepLedger = (url: string): Promise<void> =>
  withConnection(url, async (sql) => {
    await sql.unsafe(`
      create table test_history (
        scan text not null, what text not null, at timestamptz not null default clock_timestamp());
      create function note_scan() returns trigger language plpgsql as $$ begin
        insert into test_history values (new.id, case tg_op when 'INSERT' then 'submitted' else new.status end);
        return null;
      end $$;
      create function note_report() returns trigger language plpgsql as $$ begin
        insert into test_history values (new.scan_id, 'report');
        return null;
      end $$;
      create trigger note_submitted after insert on scans for each row execute function note_scan();
      create trigger note_ended after update of status on scans for each row execute function note_scan();
      create trigger note_report after insert or update on reports for each row execute function note_report();`);
  });

export const readLedger = (url: string): Promise<Ledger> =>
  withConnection(url, async (sql) => ({
    scans: await sql<Ledger["scans"][number][]>`
      select s.id, a.name as account, s.status, s.failure_code as failure
      from scans s join accounts a on a.id = s.account_id order by s.id`,
    charged: await sql<Ledger["charged"][number][]>`
      select a.name as account, sum(u.started)::int as started
      from usage u join accounts a on a.id = u.account_id group by a.name`,
    history: await sql<Ledger["history"][number][]>`select scan, what, at from test_history order by at`,
  }));

/** Has every processing scan be so much longer under way: its launch, and its acceptance. */
export const age = (url: string, seconds: number): Promise<void> =>
  withConnection(url, async (sql) => {
    await sql`
      update scans set launched_at = launched_at - make_interval(secs => ${seconds}),
        created_at = created_at - make_interval(secs => ${seconds}) where status = 'processing'`;
  });

async function withConnection<T>(url: string, task: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await task(sql);
  } finally {
    await sql.end();
  }
}
