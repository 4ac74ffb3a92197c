import type { Database } from "./database.ts";
import { type LaunchableRecord, LAUNCHABLE_COLUMNS, toLaunchableScan } from "./scan-record.ts";
import type { Launched, LaunchStore } from "./store.ts";

/** Which processing scans were handed to what carries them out. Each query walks the index of processing scans. */
export function launchStore(database: Database): LaunchStore {
  return {
    async unlaunched(installation, createdBefore, limit) {
      const rows = await database.run(
        ({ sql }) => sql<LaunchableRecord[]>`
          select ${sql.unsafe(LAUNCHABLE_COLUMNS)} from scans s join accounts a on a.id = s.account_id
          where s.status = 'processing' and s.launched_at is null and s.created_at < ${createdBefore.toISOString()}
            and coalesce(s.installation, ${installation}) = ${installation}
          order by s.created_at, s.id limit ${limit}`,
      );
      return rows.map(toLaunchableScan);
    },

    async launched(installation, launchedBefore) {
      const rows = await database.run(
        ({ sql }) => sql<Launched[]>`
          select id, resource_uid as uid, resource_namespace as namespace from scans
          where status = 'processing' and launched_at < ${launchedBefore.toISOString()}
            and installation = ${installation} and resource_uid is not null and resource_namespace is not null
          order by created_at, id`,
      );
      return [...rows];
    },

    async overdue(before) {
      const rows = await database.run(
        ({ sql }) => sql<{ id: string }[]>`
          select id from scans
          where status = 'processing' and coalesce(launched_at, created_at) < ${before.toISOString()}
            and (launched_at is not null or installation is not null)
          order by created_at, id`,
      );
      return rows.map(({ id }) => id);
    },

    async note(launched, installation, now) {
      await database.run(
        ({ sql }) => sql`
          update scans set launched_at = ${now.toISOString()}, installation = ${installation},
            resource_uid = coalesce(resource_uid, noted.uid),
            resource_namespace = coalesce(resource_namespace, noted.namespace)
          from json_to_recordset(${JSON.stringify(launched)}::text::json) as noted (id text, uid text, namespace text)
          where scans.id = noted.id and status = 'processing'`,
      );
    },
  };
}
