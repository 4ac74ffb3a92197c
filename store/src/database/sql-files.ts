import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  ACTIVE_STATUSES,
  FINDING_STATUSES,
  TRANSITIONS,
  isDecision,
  isMarkStatus,
  type FindingEvent,
} from "@glovebox/domain";
import { PLANS, SEVERITIES } from "@glovebox/contract";
import type { Sql } from "postgres";
import { migrationError } from "./unavailable.ts";

interface SqlFile {
  readonly name: string;
  readonly text: string;
}

const textArray = (values: readonly string[]): string =>
  `ARRAY[${values.map((value) => `'${value}'`).join(", ")}]`;

/** The lists of the contract that the functions in the files read: they come first. */
const LISTS: SqlFile = {
  name: "lists.sql",
  text: `
CREATE OR REPLACE FUNCTION severities() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT ${textArray(SEVERITIES)} $$;
CREATE OR REPLACE FUNCTION active_statuses() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT ${textArray(ACTIVE_STATUSES)} $$;`,
};

/** The lists, and the SQL files in the order of their names; all are applied again when one has changed. */
function readSqlFiles(folder = fileURLToPath(new URL("../../sql", import.meta.url))): SqlFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return [
    LISTS,
    ...names.toSorted().map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") })),
  ];
}

const quotas = Object.entries(PLANS).map(([name, { scansPerMonth }]) => ({ name, scansPerMonth }));

const transitions = (Object.keys(TRANSITIONS) as FindingEvent[]).flatMap((event) =>
  FINDING_STATUSES.flatMap((from) => {
    const to = TRANSITIONS[event][from];
    if (to === null) return [];
    return [{ event, from, to, isMarked: isMarkStatus(to), isDecision: isDecision(event) }];
  }),
);

/** Of the files of this source tree: SQL_SHA256 of schema-version.ts. */
export const sqlDigest = (): string => digestOf(readSqlFiles());

const digestOf = (files: readonly SqlFile[]): string =>
  createHash("sha256").update(JSON.stringify({ files, quotas, transitions })).digest("hex");

/** Applies the files, and what they know of the contract, in one transaction, unless this version was applied last. */
export async function applySqlFiles(sql: Sql, folder?: string): Promise<void> {
  const files = readSqlFiles(folder);
  const sha256 = digestOf(files);
  const [inForce] = await sql<{ sha256: string }[]>`
    select sha256 from sql_versions order by applied_at desc limit 1`;
  if (inForce?.sha256 === sha256) return;
  await sql.begin(async (transaction) => {
    for (const { name, text } of files)
      await transaction.unsafe(text).catch((error: unknown) => {
        throw migrationError(`sql/${name}`, error);
      });
    await transaction`
      insert into plans (name, scans_per_month)
      select name, "scansPerMonth"
      from json_to_recordset(${JSON.stringify(quotas)}::text::json) as quota(name text, "scansPerMonth" integer)
      on conflict (name) do update set scans_per_month = excluded.scans_per_month`;
    await transaction`delete from finding_transitions`;
    await transaction`
      insert into finding_transitions (event, from_status, to_status, is_marked, is_decision)
      select event, "from", "to", "isMarked", "isDecision"
      from json_to_recordset(${JSON.stringify(transitions)}::text::json)
        as each(event text, "from" text, "to" text, "isMarked" boolean, "isDecision" boolean)`;
    await transaction`
      insert into sql_versions (sha256, applied_at) values (${sha256}, clock_timestamp())
      on conflict (sha256) do update set applied_at = excluded.applied_at`;
  });
}
