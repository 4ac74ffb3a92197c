import type { Database } from "./database.ts";
import { SchemaMissing } from "./unavailable.ts";

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
      ({ sql }) => sql<{ when: string }[]>`
        select created_at as "when" from drizzle.__drizzle_migrations order by created_at desc limit 1`,
    );
    return last && Number(last.when);
  } catch (error) {
    if (error instanceof SchemaMissing) return undefined;
    throw error;
  }
}
