import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres, { type Sql } from "postgres";
import type { Database } from "./database.ts";
import { SchemaMissing, translateError } from "./unavailable.ts";

/** Any number that nothing else in the database locks. */
const MIGRATION_LOCK = 4_716_030_901;

export interface MigrateOptions {
  /** Where the migrations are. A bundle carries them elsewhere than beside this module. */
  readonly folder?: string | undefined;
  /** How long to wait for another process that migrates the same database. Default 60. */
  readonly waitSeconds?: number | undefined;
}

/**
 * Brings the database to the present schema. Of several at once, one migrates and the others wait for it; one that has
 * waited in vain throws. Migrations that fail leave the database as it was.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const { folder = fileURLToPath(new URL("../migrations", import.meta.url)), waitSeconds = 60 } = options;
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    await lock(sql, waitSeconds);
    await applyMigrations(drizzle({ client: sql }), { migrationsFolder: folder });
  } catch (error) {
    throw translateError(error);
  } finally {
    await sql.end({ timeout: 5 }); // frees the lock
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

/** `when` of the last migration in migrations/meta/_journal.json: what this program was written for. */
export const SCHEMA_VERSION = 1_795_340_600_000;

/**
 * How the schema of a database compares with the program's. A newer one is as good as its own: during an upgrade the
 * database is migrated first, and migrations leave what the version before uses (docs/adr/0014).
 */
export type SchemaState = "current" | "newer" | "older" | "missing";

/** @throws StoreUnavailable when the database is away */
export async function schemaState(database: Database): Promise<SchemaState> {
  const version = await appliedVersion(database);
  if (version === undefined) return "missing";
  if (version === SCHEMA_VERSION) return "current";
  return version < SCHEMA_VERSION ? "older" : "newer";
}

/** Where drizzle notes the migrations that it applied. */
async function appliedVersion(database: Database): Promise<number | undefined> {
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
