import postgres from "postgres";
import { type DatabaseOptions, connectionSettings } from "./database.ts";
import { translateError } from "./unavailable.ts";

/**
 * Runs the task while it alone holds the lock of this name, on a separate connection: an advisory lock of PostgreSQL
 * belongs to a session, and ends with it. Returns false, and runs nothing, when another session holds the lock.
 */
export async function withLock(
  options: DatabaseOptions,
  name: string,
  task: () => Promise<void>,
): Promise<boolean> {
  const sql = postgres(options.url, { ...connectionSettings(options), max: 1 });
  try {
    if (!(await tryLock(sql, name))) return false;
    await task();
    return true;
  } finally {
    await sql.end({ timeout: 5 }); // frees the lock
  }
}

/** The first number separates these locks from others. Do not change it: pods of the previous release take the same locks. */
async function tryLock(sql: postgres.Sql, name: string): Promise<boolean> {
  try {
    const [row] = await sql<[{ held: boolean }]>`
      select pg_try_advisory_lock(hashtext('glovebox.exclusively'), hashtext(${name})) as held`;
    return row.held;
  } catch (error) {
    throw translateError(error);
  }
}
