import postgres, { type Sql } from "postgres";

/** A database that is away under another name, while an empty one has its own. */
export interface Replaced {
  /** The empty one is dropped, and the first replaces it again. */
  bringBack(): Promise<void>;
}

/** Replaces this database by an empty one, and keeps its data. All connections to either are cut off. */
export async function replaceDatabase(adminUrl: string, url: string): Promise<Replaced> {
  const name = new URL(url).pathname.slice(1);
  await administer(adminUrl, async (sql) => {
    await sql.unsafe(`alter database ${name} with allow_connections false`);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    await renamed(sql, name, `${name}_aside`);
    await sql.unsafe(`create database ${name}`);
  });
  return {
    bringBack: () =>
      administer(adminUrl, async (sql) => {
        await sql.unsafe(`drop database ${name} with (force)`);
        await renamed(sql, `${name}_aside`, name);
        await sql.unsafe(`alter database ${name} with allow_connections true`);
      }),
  };
}

/** A session that was told to end may still be there for a moment. */
async function renamed(sql: Sql, from: string, to: string): Promise<void> {
  for (let tries = 50; ; tries--) {
    try {
      return void (await sql.unsafe(`alter database ${from} rename to ${to}`));
    } catch (error) {
      if (tries === 0) throw error;
      await sql`select pg_sleep(0.1)`;
    }
  }
}

async function administer(url: string, task: (sql: Sql) => Promise<void>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await task(sql);
  } finally {
    await sql.end();
  }
}
