import type { Database } from "./database.ts";
import { type LaunchableRecord, LAUNCHABLE_COLUMNS, toLaunchableScan } from "./scan-record.ts";
import type { LaunchStore } from "./store.ts";

/** Which processing scans were handed to what carries them out. Each query walks the index of processing scans. */
export function launchStore(database: Database): LaunchStore {
  return {
    async unlaunched(createdBefore, limit) {
      const rows = await database.run(
        ({ sql }) => sql<LaunchableRecord[]>`
          select ${sql.unsafe(LAUNCHABLE_COLUMNS)} from scans s join accounts a on a.id = s.account_id
          where s.status = 'processing' and s.launched_at is null and s.created_at < ${createdBefore.toISOString()}
          order by s.created_at, s.id limit ${limit}`,
      );
      return rows.map(toLaunchableScan);
    },

    async launched(launchedBefore) {
      const rows = await database.run(
        ({ sql }) => sql<LaunchableRecord[]>`
          select ${sql.unsafe(LAUNCHABLE_COLUMNS)} from scans s join accounts a on a.id = s.account_id
          where s.status = 'processing' and s.launched_at < ${launchedBefore.toISOString()}
          order by s.created_at, s.id`,
      );
      return rows.map(toLaunchableScan);
    },

    async note(ids, now) {
      await database.run(
        ({ sql }) => sql`
          update scans set launched_at = ${now.toISOString()}
          where id = any(${[...ids]}::text[]) and status = 'processing'`,
      );
    },
  };
}
