import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres, { type Sql } from "postgres";
import type { Database } from "./database.ts";
import { MIGRATION, SQL_SHA256 } from "./schema-version.ts";
import { applySqlFiles } from "./sql-files.ts";
import { SchemaMissing, migrationError, translateError } from "./unavailable.ts";

/** An arbitrary number that no other lock in the database uses. */
const MIGRATION_LOCK = 4_716_030_901;

export interface MigrateOptions {
  /** Folder of the functions; only tests set it. */
  readonly sqlFolder?: string | undefined;
  /** How long to wait for another process that migrates the same database. Default 60. */
  readonly waitSeconds?: number | undefined;
}

/**
 * Migrates the database: first the tables, then the functions and the quotas of the plans, each in one transaction. Of several
 * concurrent processes, one migrates and the others wait for it; they throw when the wait takes too long.
 * @throws MigrationFailed with the tables or functions as they were, when PostgreSQL refuses a statement
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    await lock(sql, options.waitSeconds ?? 60);
    await applyTables(sql);
    await applySqlFiles(sql, options.sqlFolder);
  } catch (error) {
    throw translateError(error);
  } finally {
    await sql.end({ timeout: 5 }); // frees the lock
  }
}

async function applyTables(sql: Sql): Promise<void> {
  const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));
  try {
    await applyMigrations(drizzle({ client: sql }), { migrationsFolder });
  } catch (error) {
    throw migrationError("migrations", error);
  }
}

async function lock(sql: Sql, waitSeconds: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${waitSeconds}s`}, false)`;
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
  } catch (cause) {
    if (!(cause instanceof postgres.PostgresError) || cause.code !== "55P03") throw cause;
    throw new Error(
      `Another process has been migrating this database for ${waitSeconds} seconds; try again later.`,
      { cause },
    );
  }
  await sql`select set_config('lock_timeout', '0', false)`;
}

/**
 * The schema of a database compared with the program's. A newer one is accepted: an upgrade migrates the database first,
 * and migrations keep what the previous release uses (docs/adr/0014).
 */
export type SchemaState = "current" | "newer" | "older" | "missing";

/** @throws StoreUnavailable when the database is away */
export async function schemaState(database: Database): Promise<SchemaState> {
  const migration = await lastMigration(database);
  if (migration === undefined) return "missing";
  if (migration !== MIGRATION) return migration < MIGRATION ? "older" : "newer";
  const applied = await database.run(
    (sql) => sql<{ sha256: string }[]>`select sha256 from sql_versions order by applied_at desc`,
  );
  if (applied[0]?.sha256 === SQL_SHA256) return "current";
  return applied.some(({ sha256 }) => sha256 === SQL_SHA256) ? "newer" : "older";
}

/** The time of the last applied migration, by which drizzle identifies it. */
async function lastMigration(database: Database): Promise<number | undefined> {
  try {
    const [last] = await database.run(
      (sql) => sql<{ when: string }[]>`
        select created_at as "when" from drizzle.__drizzle_migrations order by created_at desc limit 1`,
    );
    return last && Number(last.when);
  } catch (error) {
    if (error instanceof SchemaMissing) return undefined;
    throw error;
  }
}
