import type { Database } from "./database.ts";
import type { Sql } from "postgres";
import type { LaunchableScan, Launched, LaunchStore } from "./store.ts";

/** Which processing scans were handed to what carries them out. Each query walks the index of processing scans. */
export function launchStore(database: Database): LaunchStore {
  const ago = (sql: Sql, seconds: number) =>
    sql`coalesce(${database.now()}::timestamptz, now()) - make_interval(secs => ${seconds})`;
  return {
    async unlaunched(installation, ageSeconds, limit) {
      const rows = await database.run(
        ({ sql }) => sql<LaunchableScan[]>`
          select s.id, a.name as account, s.url, s.spec_url as "specUrl", s.context,
            extract(epoch from coalesce(${database.now()}::timestamptz, now()) - s.created_at)::float as "ageSeconds"
          from scans s join accounts a on a.id = s.account_id
          where s.status = 'processing' and s.launched_at is null and s.created_at < ${ago(sql, ageSeconds)}
            and coalesce(s.installation, ${installation}) = ${installation}
          order by s.created_at, s.id limit ${limit}`,
      );
      return [...rows];
    },

    async launched(installation, ageSeconds) {
      const rows = await database.run(
        ({ sql }) => sql<Launched[]>`
          select id, resource_uid as uid, resource_namespace as namespace from scans
          where status = 'processing' and launched_at < ${ago(sql, ageSeconds)}
            and installation = ${installation} and resource_uid is not null and resource_namespace is not null
          order by created_at, id`,
      );
      return [...rows];
    },

    async overdue(ageSeconds) {
      const rows = await database.run(
        ({ sql }) => sql<{ id: string }[]>`
          select id from scans
          where status = 'processing' and coalesce(launched_at, created_at) < ${ago(sql, ageSeconds)}
            and (launched_at is not null or installation is not null)
          order by created_at, id`,
      );
      return rows.map(({ id }) => id);
    },

    knownSeconds: (installation) => knownSeconds(database, installation),

    async note(launched, installation) {
      await database.run(
        ({ sql }) => sql`
          update scans set launched_at = coalesce(${database.now()}::timestamptz, now()), installation = ${installation},
            resource_uid = coalesce(resource_uid, noted.uid),
            resource_namespace = coalesce(resource_namespace, noted.namespace)
          from json_to_recordset(${JSON.stringify(launched)}::text::json) as noted (id text, uid text, namespace text)
          where scans.id = noted.id and status = 'processing'`,
      );
    },
  };
}

/** Notes the installation where it is not known; a statement does not see what it writes itself, hence the 0. */
async function knownSeconds(database: Database, installation: string): Promise<number> {
  const [row] = await database.run(
    ({ sql }) => sql<[{ seconds: number }]>`
      with moment as (select coalesce(${database.now()}::timestamptz, now()) as now),
      noted as (
        insert into installations (id, known_since) select ${installation}, now from moment
        on conflict (id) do nothing
      )
      select coalesce(extract(epoch from (select now from moment) - max(known_since)), 0)::float as seconds
      from installations where id = ${installation}`,
  );
  return row.seconds;
}
