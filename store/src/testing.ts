import { randomBytes } from "node:crypto";
import type { Plan } from "@glovebox/contract";
import postgres from "postgres";
import { migrate } from "./database/migrate.ts";
import { assembleStore, type Store, type StoreOptions } from "./store.ts";

export { age, keepLedger, readLedger, type Ledger } from "./testing/ledger.ts";

export { replaceDatabase, type Replaced } from "./testing/replaced.ts";

/** Under which name a run of the tests provides its server. */
export type ProvidedName = keyof Pick<import("vitest").ProvidedContext, "databaseUrl">;

declare module "vitest" {
  export interface ProvidedContext {
    /** A PostgreSQL server on which tests may create databases. Provided by test/support/postgres.ts. */
    databaseUrl: string;
  }
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A separate migrated, empty database for one test file, on the server that `adminUrl` leads to. */
export async function freshDatabase(adminUrl: string): Promise<TestDatabase> {
  const database = await bareDatabase(adminUrl);
  await migrate(database.url);
  return database;
}

/** A store that takes the moment from this clock instead of the server's. */
export const openStoreAt = async (options: StoreOptions, now: () => Date): Promise<Store> =>
  assembleStore(options, () => now().toISOString());

/** The object with these methods instead of its own, such as one that fails. */
export const overriding = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(methods, name)) return methods[name as keyof T];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });

/** Connections of postgres.js, for what tests do to a database beside the store. To be ended by the caller. */
export const plainSql = (url: string): postgres.Sql => postgres(url, { max: 2, onnotice: () => {} });

/** A database that was not migrated. */
export async function bareDatabase(adminUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await administer(adminUrl, `create database ${name}`);
  return { url: url.href, drop: () => administer(adminUrl, `drop database ${name} with (force)`) };
}

/** From now on the plan has this quota. */
export const setQuota = (url: string, plan: Plan, scansPerMonth: number | null): Promise<void> =>
  administer(url, `update plans set scans_per_month = ${scansPerMonth} where name = '${plan}'`);

async function administer(adminUrl: string, statement: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
export { reporting, sampleReport, storedReport, type SampleFinding } from "./testing/sample-reports.ts";
