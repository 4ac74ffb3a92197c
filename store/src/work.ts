import { type DeliveredOutcome, isGivenBack, reportJson, storableText } from "@glovebox/contract";
import type { Announcer } from "./announcer.ts";
import type { Database } from "./database.ts";
import type { scans } from "./schema.ts";
import type { ClaimedScan, ScanOnRecord, StoreEvent, WorkStore } from "./store.ts";

/** The queue of scans, as the processes that carry them out see it. */
export function workStore(database: Database, announcer: Announcer): WorkStore {
  return {
    async claim(worker, leaseSeconds) {
      const [claimed] = await database.run(
        ({ sql }) => sql<ClaimedScan[]>`
          select id, url, spec_url as "specUrl", context, attempts as attempt
          from claim_scan(${worker}, ${database.now()}, ${leaseSeconds})`,
      );
      return claimed && { ...claimed };
    },

    async renew(worker, ids, leaseSeconds) {
      const held = await database.run(
        ({ sql }) => sql<{ id: string }[]>`
          update scans
          set lease_until = coalesce(${database.now()}::timestamptz, now()) + make_interval(secs => ${leaseSeconds})
          where id = any(${[...ids]}::text[]) and worker = ${worker} and status = 'processing' returning id`,
      );
      return held.map(({ id }) => id);
    },

    async release(worker, ids) {
      const released = await database.run(
        ({ sql }) => sql<{ id: string }[]>`
          update scans set worker = null, lease_until = null, attempts = greatest(attempts - 1, 0)
          where id = any(${[...ids]}::text[]) and worker = ${worker} and status = 'processing' returning id`,
      );
      for (const { id } of released) announcer.announce({ type: "scanSubmitted", id });
    },

    async progress(id, { category, done, planned }, total) {
      const event: StoreEvent = { type: "scanProgress", id, frame: { category, done, planned }, total };
      await database.run(
        ({ sql }) => sql`
          with written as (
            update scans set progress_done = ${total.done}, progress_planned = ${total.planned}
            where id = ${id} and status = 'processing' returning id
          ) select pg_notify('glovebox', ${JSON.stringify(event)}) from written`,
      );
    },

    async record(id, outcome) {
      const ending = await endingOf(outcome);
      const [row] = await database.run(
        ({ sql }) => sql<[{ recorded: boolean }]>`
          select end_scan(${id}, ${database.now()}, ${ending.score}, ${ending.grade}, ${ending.findings},
            ${ending.body}, ${ending.code}, ${ending.message}, ${ending.givenBack}) as recorded`,
      );
      return row.recorded;
    },

    find: (id) => findOnRecord(database, id),
  };
}

type RecordedRow = Omit<ScanOnRecord, "failure"> &
  Pick<typeof scans.$inferSelect, "failureCode" | "failureMessage">;

async function findOnRecord(database: Database, id: string): Promise<ScanOnRecord | undefined> {
  const [found] = await database.run(
    ({ sql }) => sql<RecordedRow[]>`
      select status, url, spec_url as "specUrl", context, score, grade, findings_count as findings,
        failure_code as "failureCode", failure_message as "failureMessage", resource_uid as "resourceUid"
      from scans where id = ${id}`,
  );
  return found && toScanOnRecord(found);
}

const toScanOnRecord = ({ failureCode, failureMessage, ...row }: RecordedRow): ScanOnRecord => ({
  ...row,
  failure: failureCode ? { code: failureCode, message: failureMessage ?? "" } : null,
});

/** What an outcome comes to in columns. */
async function endingOf(outcome: DeliveredOutcome) {
  if (outcome.status === "failed") {
    const { code, message } = outcome.failure;
    const failure = { code, message: storableText(message), givenBack: isGivenBack(code) };
    return { score: null, grade: null, findings: 0, body: null, ...failure };
  }
  const { score, grade, findings } = outcome.report;
  const success = { code: null, message: null, givenBack: false };
  return { score, grade, findings, body: await reportJson(outcome.report), ...success };
}
